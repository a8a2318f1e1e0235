#!/usr/bin/env bash
# The pages of tanren in a real browser: scripts/browser.sh. Installs what it needs where it may; without a browser it says so, and fails only in CI.
set -euo pipefail
cd "$(dirname "$0")/.."

if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
    for need in chromium:chromium node:nodejs npm:npm; do
        command -v "${need%%:*}" >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${need##*:}"; } || true
    done
fi
for need in chromium node npm python3; do
    if ! command -v "$need" >/dev/null; then
        echo "the browser suite does not run: there is no $need"
        [ -z "${CI:-}" ] && exit 0 || exit 1
    fi
done

(cd harness/browser && npm ci --silent --no-audit --no-fund)
# The second opinion on positions.
if [ ! -d target/browser/chess ]; then
    python3 -m pip install --quiet --target target/browser chess==1.11.2 cshogi==1.1.0
fi
# A program that is there already may be named.
if [ -z "${TANREN:-}" ]; then
    cargo build --workspace --locked
    TANREN="$PWD/target/debug/tanren"
fi
harness/browser/node_modules/.bin/prettier --config harness/browser/.prettierrc.json --log-level warn --check \
    harness/runs/src/report/page/assets/*.js harness/browser/*.js
harness/browser/node_modules/.bin/tsc --checkJs --allowJs --noEmit --strict --target es2022 --module es2022 --moduleResolution node \
    --lib es2022,dom,dom.iterable harness/runs/src/report/page/assets/*.js
TANREN="$TANREN" PYTHONPATH="$PWD/target/browser" CHROMIUM="$(command -v chromium)" node --test --test-concurrency=2 harness/browser/*.test.js
