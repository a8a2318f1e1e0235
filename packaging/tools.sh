#!/usr/bin/env bash
# Installs what `cargo xtask dist` calls. Versions stand here alone.
set -euo pipefail
cargo install --locked cargo-auditable@0.7.7 cargo-cyclonedx@0.5.9 cargo-deb@3.8.0
python3 -m pip install cargo-zigbuild==0.24.1 ziglang==0.17.1
