#!/usr/bin/env bash
# Every crate as a user of crates.io gets it: packed, built from its package alone, its documentation, its API.
#
#   scripts/packages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh

public=(tanren-engine tanren-stats)
bytes_max=10000000 # of crates.io

# Each package is unpacked and built with the others as its dependencies, in their order.
step cargo package --workspace --exclude xtask --locked --allow-dirty
for package in target/package/*.crate; do
    bytes=$(stat -c %s "$package")
    echo "$bytes bytes: $package"
    if [ "$bytes" -gt "$bytes_max" ]; then
        echo "== $package is over $bytes_max bytes" >&2
        exit 1
    fi
done

for crate in "${public[@]}"; do
    RUSTDOCFLAGS="-D warnings" step cargo doc -p "$crate" --no-deps --locked
done

tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true)
if [ -z "$tag" ]; then
    echo "== no version is tagged yet: there is no API to compare with"
else
    command -v cargo-semver-checks >/dev/null || step cargo install cargo-semver-checks --locked --root target/semver-checks
    for crate in "${public[@]}"; do
        PATH="$PWD/target/semver-checks/bin:$PATH" step cargo semver-checks -p "$crate" --baseline-rev "$tag"
    done
fi
