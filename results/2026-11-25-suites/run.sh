#!/usr/bin/env bash
# Plays the two matches of this study into the folders balanced and unbalanced below DIR: run.sh TANREN DIR
set -euo pipefail
tanren=$1 out=$2
openings=$(cd "$(dirname "$0")/../../openings" && pwd)
for suite in balanced:chess unbalanced:chess-unbalanced; do
    "$tanren" match --game chess --a base --b base --nodes-a 1000 --nodes-b 850 --openings "$openings/${suite#*:}.epd" \
        --pairs 700 --seed 1 --out "$out/${suite%%:*}"
done
