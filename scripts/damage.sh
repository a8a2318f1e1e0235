#!/usr/bin/env bash
# Damages the ledgers of finished runs (1,000 flipped bits, 300 overwritten pages, 300 lost ends, rows deleted 100 times) and has each verified,
# reported and taken up again: nothing may panic or change a number unsaid. Prints how many were harmless, found, mended to the
# same files, refused, silent (must be 0), and panics (must be 0).
#
#   scripts/damage.sh [SHARE [KIND...]]      default 1: all of them; 0.1: a tenth. KIND: bits, pages, ends, rows; default: each
set -euo pipefail
cd "$(dirname "$0")/.."
TANREN_DAMAGE=${1:-1} TANREN_DAMAGE_KINDS=${*:2} cargo test -p tanren --test cli damage:: -- --ignored --nocapture
