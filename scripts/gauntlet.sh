#!/usr/bin/env bash
# The presets base, tacos-n, tacos-ss and tacos-ds against programs of others: does what self-play shows carry over?
#
#   scripts/gauntlet.sh [PAIRS [OUT]]      default: 100 pairs of each pairing, results/<today>-gauntlet
#
# OUT/time: against Fairy-Stockfish at equal time a move. OUT/gps: against GPS Shogi at a depth at which it takes about the time
# that the presets get, since by its clock gpsusi never moves faster than about a second. OUT/nodes: against Fairy-Stockfish at
# equal nodes a move, three times PAIRS since these games are short. The same command goes on where it was stopped; an engine
# that cannot be started stops it.
#
# MS (25), NODES (2000), GPS_DEPTH (2) with GPS_MS (50) for the presets are the limits, CONCURRENCY (1) the games at a time,
# TANREN, FAIRY and GPSUSI the programs. Debian: apt-get install fairy-stockfish gpsshogi. A program that is not there is an
# error: nothing is left out silently.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
pairs=${1:-100}
out=${2:-$root/results/$(date +%F)-gauntlet}
ms=${MS:-25}
nodes=${NODES:-2000}
gps_depth=${GPS_DEPTH:-2}
gps_ms=${GPS_MS:-50}
tanren=${TANREN:-$root/target/release/tanren}
fairy=${FAIRY:-/usr/games/fairy-stockfish}
gpsusi=${GPSUSI:-/usr/games/gpsusi}
for program in "$fairy" "$gpsusi"; do
    if [ ! -x "$program" ]; then
        echo "$program is not there: apt-get install fairy-stockfish gpsshogi, or set FAIRY and GPSUSI" >&2
        exit 2
    fi
done
if [ ! -x "$tanren" ]; then
    (cd "$root" && cargo build --release --locked)
fi

# Plays the opponent $1 against all presets in $out/$2, $3 pairs of each, with the limit that follows.
gauntlet() {
    local opponent=$1 folder=$2 pairs=$3
    shift 3
    "$tanren" tournament --out "$out/$folder" --gauntlet 1 --pairs "$pairs" --hash 16 --seed 1 \
        --concurrency "${CONCURRENCY:-1}" --startup-ms 60000 --on-fault start_failure=stop,refused_option=stop \
        --player "$opponent" --player base --player tacos-n --player tacos-ss --player tacos-ds "$@"
}

stockfish="usi:$fairy,option.UCI_Variant=shogi,option.Threads=1,name=fairy-stockfish"
# It announces 4 as the least LimitDepth but takes less, which is said outside of the options and so not checked against that.
gps="usi:$gpsusi,option.Thread=1,option.BookDepth=0,init=setoption name LimitDepth value $gps_depth,name=gpsusi"
gauntlet "$stockfish" time "$pairs" --movetime "$ms"
gauntlet "$stockfish" nodes $((3 * pairs)) --nodes "$nodes"
# byoyomi: more than a search to the depth ever takes.
gauntlet "{ name = \"gpsusi\", player = \"$gps\", byoyomi = 10000 }" gps "$pairs" --movetime "$gps_ms"
