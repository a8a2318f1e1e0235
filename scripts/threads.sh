#!/usr/bin/env bash
# Runs the tests of workers, dispenser and collector under the thread sanitizer, the standard library included; minutes.
#
#   scripts/threads.sh [TIMES]
#
# Needs a nightly toolchain with the component rust-src. SQLite is not seen: it is C, and one thread alone uses it here.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS=-Zsanitizer=thread RUSTDOCFLAGS=-Zsanitizer=thread
export TSAN_OPTIONS=halt_on_error=1
for ((time = 0; time < ${1:-1}; time++)); do
    cargo +nightly test -Zbuild-std --target "$target" --target-dir target/threads -p tanren-core --lib -- \
        runner:: interrupt:: platform::child player::process::engine_stderr
done
