#!/usr/bin/env bash
# The pictures of pages in the manual, of short runs that come out the same everywhere: scripts/screenshots.sh [FOLDER]
# They are made by hand where a page changes: fonts differ between machines, so no test compares them.
set -euo pipefail
cd "$(dirname "$0")/.."
to=$(realpath -m "${1:-docs/src/images}")
runs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$runs"' EXIT
[ -n "${TANREN:-}" ] || cargo build --release --locked
tanren=$(realpath "${TANREN:-target/release/tanren}")
[ -d harness/browser/node_modules/playwright-core ] || (cd harness/browser && npm ci --silent --no-audit --no-fund)
cd "$runs"
"$tanren" match --a base --b base,lmr=off --pairs 150 --nodes 300 --hash 1 --sprt "elo0=0,elo1=60" --quiet --out shogi
"$tanren" match --game chess --a base --b base,lmr=off --pairs 150 --nodes 1000 --hash 1 --sprt "elo0=0,elo1=60" --quiet --out chess
"$tanren" match --a base --b base,quiescence_see=off --pairs 4000 --nodes 1000 --hash 1 --concurrency 1 --sprt "elo0=0,elo1=5" --quiet --out live 2>/dev/null &
sleep 20
"$tanren" serve . >address &
for _ in $(seq 100); do [ -s address ] && break; sleep 0.1; done
cd "$OLDPWD"
SHOTS_FROM=$runs SHOTS_SERVER=$(cat "$runs/address") SHOTS_TO=$to node harness/browser/screenshots.js
command -v pngquant >/dev/null && pngquant --force --ext .png --skip-if-larger 64 "$to"/*.png || true
