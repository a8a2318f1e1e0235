#!/usr/bin/env bash
# Coverage of the intervals that Tanren shows, drawn from known truths: run.sh TANREN [FOLDER] writes the tables of this folder.
set -euo pipefail
tanren=$1
cd "${2:-$(dirname "$0")}"
only() { awk -F, -v fixed="$1" 'NR == 1 || (($5 == "") == fixed)'; }
join() { awk 'FNR > 1 || NR == 1' "$@"; }

# Fixed lengths: equal players, and one that is 10 normalized Elo stronger.
for pairs in 40 80 160 320 640 1000; do
  "$tanren" simulate --elo 0,10 --sprt 0,200 --pairs 1 --fixed $pairs --draws 0.5,0.75,0.9,0.95,0.975 --bias 0 \
    --matches 10000 --quiet --force --out part.$pairs.csv > /dev/null
done
join part.*.csv | only 1 > fixed.csv

# Tests to their end, at H0, between, at H1 and beyond; the widest end after a few pairs.
for elo1 in 20 50 150; do
  draws=0.02,0.5,0.9,0.975
  if [ $elo1 = 150 ]; then draws=0.02,0.5; fi
  "$tanren" simulate --sprt 0,$elo1 --elo 0,$((elo1 / 2)),$elo1 --draws $draws --bias 0 \
    --matches 5000 --quiet --force --out part.$elo1.csv > /dev/null
done
join part.20.csv part.50.csv part.150.csv | only 0 > stopped.csv

# Tests that most often run out of pairs.
"$tanren" simulate --sprt 0,20 --elo 0,10,20 --draws 0.02,0.5,0.9,0.975 --bias 0 --pairs 200 \
  --matches 5000 --quiet --force --out capped.csv > /dev/null
rm part.*.csv
