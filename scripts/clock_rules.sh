#!/usr/bin/env bash
# What the rules of the clock are worth, in games with real clocks: every rule against the defaults, one changed at a time.
#
#   scripts/clock_rules.sh [PAIRS [OUT]]      default: 100 pairs of each rule, results/<today>-clock
#
# OUT/rules: a gauntlet of the defaults against the defaults with one rule changed, with 0.6 s a game and 10 ms a move.
# OUT/whole-second: a clock that counts whole seconds, 10 s a game (PAIRS / 16 pairs: these games are long).
# OUT/ponder: the engine as a program that thinks on its opponent's time, one game at a time (PAIRS / 4 pairs).
# The same command goes on where it was stopped. TANREN and ENGINE are the programs. Nothing else should run on the machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
pairs=${1:-100}
out=${2:-$root/results/$(date +%F)-clock}
tanren=${TANREN:-$root/target/release/tanren}
engine=${ENGINE:-$root/target/release/tanren-engine}
if [ ! -x "$tanren" ] || [ ! -x "$engine" ]; then
    (cd "$root" && cargo build --release --locked --workspace)
fi

"$tanren" tournament --out "$out/rules" --gauntlet 1 --pairs "$pairs" --tc 0.6+0.01 --overhead 5 --seed 1 \
    --player base --player base,easy_move=on --player base,stable_move=on --player base,second_best_stop=on \
    --player base,one_reply=off
"$tanren" match --out "$out/whole-second" --a base,whole_second=on --b base --tc 10+0 --whole-seconds --seed 2 \
    --pairs $((pairs / 16 > 0 ? pairs / 16 : 1))
pondering="usi:$engine,ponder=on,option.Overhead_ms=10"
"$tanren" match --out "$out/ponder" --a "$pondering,option.ponder_iterations=true,name=iterations" --b "$pondering,option.ponder_iterations=false,name=clock" \
    --tc 1+0.02 --seed 3 --concurrency 1 --pairs $((pairs / 4 > 0 ? pairs / 4 : 1))
