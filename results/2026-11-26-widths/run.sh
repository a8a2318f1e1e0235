#!/bin/bash
# The widths of every number of both games, that of a technique which is off with it switched on. The folders that this makes hold a run.toml each,
# from which widths.csv was made.
cd "$(dirname "$0")"
T=${TANREN:-tanren}
run() { # game name player pattern
  rm -rf $1-$2
  $T tune --game $1 --player "$3" --tune "$4" --games 2 --nodes 1000 --confirm off --max-plies 4 --concurrency 1 --out $1-$2 --quiet > $1-$2.log 2>&1 || echo "failed $1 $2"
}
for game in shogi chess; do
  run $game all base '*'
  for t in correction razoring iir iid probcut singular second_best_stop lmr.research; do run $game $t base,$t=on "$t.*"; done
  run $game soppo-static base,soppo=static 'soppo.distance,soppo.phase_min'
  run $game soppo-dynamic base,soppo=dynamic 'soppo.share,soppo.samples_min,soppo.aging'
done
echo finished
