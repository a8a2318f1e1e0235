#!/usr/bin/env bash
# Runs the tests of what is `unsafe`, as far as Miri can, and those of what stands next to it; minutes.
#
#   scripts/miri.sh
#
# Needs a nightly toolchain with the components miri and rust-src. What is left out: `platform` starts processes, which Miri
# cannot; its one `unsafe` block is a system call between fork and exec. `large_pages` asks the system for memory. SQLite is C.
set -euo pipefail
cd "$(dirname "$0")/.."

# Every file of the engine with `unsafe` must be named here, and tested below if Miri can.
known="engine/src/large_pages.rs
engine/src/search/memory/hash_table.rs
engine/src/shogi/bitboard.rs"
found=$(grep -rlE 'unsafe (\{|fn|impl)' engine/src | sort)
[ "$found" = "$known" ] || {
    printf 'unsafe stands in other files than this script knows:\n%s\n' "$found" >&2
    exit 1
}

miri() {
    echo "== $*"
    cargo +nightly miri test --target-dir target/miri -p tanren-engine --lib -- "$@"
}

miri search::memory::hash_table
miri shogi::bitboard shogi::sfen shogi::validate chess::validate protocol::command
