#!/usr/bin/env bash
# Measures one server and one coordinator with many simulated workers, who know every pair already: pairs a second, bytes, memory,
# processor time, and what is played in vain.
#
#   scripts/fleet_scale.sh [WORKERS [PAIRS]]      default: 1000 20000
#
# Needs a nats-server on the PATH or in TANREN_NATS_SERVER.
set -euo pipefail
cd "$(dirname "$0")/.."
export TANREN_WORKERS=${1:-1000} TANREN_PAIRS=${2:-20000}
exec cargo test --release --locked --workspace --test cluster -- --ignored --nocapture scale::
