#!/usr/bin/env bash
# Lets machines, the server and the network of a fleet fail at random moments during runs of every kind, and compares every
# games.csv with that of one machine alone: all must be the same, byte for byte, but for the columns that measure time.
#
#   scripts/fleet_test.sh [EVENTS [SEED]]      default: 200 events, seed 1; about 6 s each
#
# Needs a nats-server on the PATH or in TANREN_NATS_SERVER. Exit code 0: nothing differs, and no process was left.
set -euo pipefail
cd "$(dirname "$0")/.."
export TANREN_EVENTS=${1:-200} TANREN_SEED=${2:-1}
exec cargo test --release --locked --workspace --test cluster -- --ignored --nocapture soak::
