#!/usr/bin/env bash
# Measures one server and one coordinator with many simulated workers, who know every pair already: pairs a second, latency, bytes,
# memory, processor time, and what is played in vain.
#
#   scripts/fleet_scale.sh [WORKERS [PAIRS [MILLISECONDS A PAIR [SPRT]]]]      default: 1000 20000 0, without a test
#   scripts/fleet_scale.sh 200 2000 1000 elo0=-30,elo1=30                      a test that ends early
#
# Needs a nats-server on the PATH or in TANREN_NATS_SERVER.
set -euo pipefail
cd "$(dirname "$0")/.."
export TANREN_REQUIRE_NATS=1
export TANREN_WORKERS=${1:-1000} TANREN_PAIRS=${2:-20000} TANREN_THINK_MS=${3:-0} TANREN_SPRT=${4:-}
exec cargo test --release --locked --workspace --test cluster -- --ignored --nocapture scale::
