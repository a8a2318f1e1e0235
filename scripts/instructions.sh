#!/usr/bin/env bash
# Fails where a node of either game costs over 1 % more or fewer instructions than engine/instructions.csv says. The figures are changed by hand,
# in the commit that explains why.
#
#   scripts/instructions.sh [EXPECTED]
set -euo pipefail
cd "$(dirname "$0")/.."
expected="${1:-engine/instructions.csv}"

command -v valgrind >/dev/null || { echo "instructions a node are not counted: install valgrind"; exit 0; }
compiler="$(rustc --version | cut -d' ' -f2)"
if [ "$(uname -m)" != x86_64 ]; then
    echo "instructions a node are not compared: the figures are of x86_64, not of $(uname -m)"
    exit 0
fi
# A pass that compared nothing is none where it is asked for.
if [ -n "${CI:-}" ] && ! grep -q ",$compiler," "$expected"; then
    echo "$expected has no figure of rustc $compiler: count anew and write it there" >&2
    exit 1
fi
cargo build --release --locked --quiet -p tanren-engine

failed=0
{
    read -r _
    while IFS=, read -r game rustc instructions; do
        counted="$(scripts/instructions.py --game "$game" base | awk -F, 'NR == 2 { print $4 }')"
        change="$(awk -v a="$instructions" -v b="$counted" 'BEGIN { printf "%+.2f", (b / a - 1) * 100 }')"
        echo "$game: $counted instructions a node, $change % against $instructions"
        if [ "$rustc" != "$compiler" ]; then
            echo "$game: not compared, the figure is of rustc $rustc and this is $compiler"
        elif ! awk -v c="$change" 'BEGIN { exit !(c <= 1 && c >= -1) }'; then
            echo "$game: write $counted in $expected, with the reason in the commit" >&2
            failed=1
        fi
    done
} <"$expected"
exit $failed
