#!/usr/bin/env bash
# Plays short matches of every kind of end and reads their records with the libraries of ShogiHome (tsshogi) and dlshogi (cshogi),
# and chess with python-chess: moves, ends and times must be those of the run.
#
#   scripts/records.sh
#
# Needs node, npm and python3; the libraries go into target/records. TANREN names the program (target/release/tanren).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh

program=$(realpath "${TANREN:-target/release/tanren}")
tests=$PWD/harness/tests
mkdir -p target/records
cd target/records
[ -d python ] || python3 -m venv python
python/bin/python -m pip install --quiet cshogi==1.1.0 chess==1.11.2 numpy
[ -d node_modules/tsshogi ] || npm install --silent --no-fund --no-audit tsshogi@2.2.0

# play NAME OPTIONS...
play() {
    rm -rf "$1"
    "$program" match --quiet --b base,lmr=off --out "$1" "${@:2}" >/dev/null
}

# shogi NAME OPTIONS...
shogi() {
    play "$@"
    "$program" report "$1" --records csa,kif,kifu >/dev/null
    step python/bin/python "$tests/check_records.py" "$1"
    step node "$tests/check_records.mjs" "$1"
}

shogi mate --nodes 300 --pairs 10
shogi times --tc 3+0.5 --pairs 2 --max-plies 40
shogi resignation --nodes 300 --pairs 5 --resign score=600,moves=2
shogi impasse --nodes 100 --pairs 5 --max-plies 50
shogi endgames --nodes 200 --pairs 10 --openings ../../openings/shogi-endgame.sfen
play chess --game chess --nodes 200 --pairs 5
"$program" report chess --records pgn >/dev/null
step python/bin/python "$tests/check_records.py" chess
