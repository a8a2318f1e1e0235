#!/usr/bin/env bash
# Every crate as a user of crates.io gets it: packed, built from its package alone, its documentation, its API.
#
#   scripts/packages.sh [--release]      --release: also refuse what may be missing before a release alone
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh

public=(tanren-engine tanren-stats)
bytes_max=10000000 # of crates.io

mkdir -p target
cargo metadata --no-deps --format-version 1 --locked >target/metadata.json
python3 - "${1:-}" <<'PY'
import json, sys, tomllib

is_release = sys.argv[1] == "--release"
packages = json.load(open("target/metadata.json"))["packages"]
packages = [package for package in packages if package["publish"] != []]
root = tomllib.load(open("Cargo.toml", "rb"))["workspace"]
faults = []
for package in packages:
    wanted = ["description", "license", "readme", "rust_version"]
    wanted += ["repository", "homepage"] if is_release else []
    faults += [f"{package['name']}: no {key} in Cargo.toml" for key in wanted if not package[key]]
version = root["package"]["version"]
for name, entry in root["dependencies"].items():
    if isinstance(entry, dict) and "path" in entry and entry["version"] != f"={version}":
        faults.append(f"Cargo.toml: {name} is of version {entry['version']}, and the workspace of {version}")
log = open("CHANGELOG.md").read()
section = next(line for line in log.splitlines() if line.startswith("## "))
if not section.startswith(f"## {version} - "):
    faults.append(f"CHANGELOG.md: its newest section is '{section}', and the version {version}")
if is_release and "unreleased" in section:
    faults.append(f"CHANGELOG.md: '{section}' needs the day of the release")
print(*faults, sep="\n", file=sys.stderr)
sys.exit(bool(faults))
PY

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
