#!/usr/bin/env bash
# Runs the end-to-end suite of fastchess, unchanged, with `tanren fastchess` in place of fastchess.
#
#   scripts/fastchess_e2e.sh CHECKOUT [NAME…]        default: every script of app/tests/e2e, and cutechess
#
# CHECKOUT is a checkout of fastchess (1.8.2). TANREN names the program (target/debug/tanren, built if absent). Needs g++. Works in a
# temporary folder; a script that fails leaves its output in target/fastchess_e2e/NAME.log. Exit code 0: all pass.
#
# cutechess is app/tests/cutechess/cutechess.sh: 200 games must end as those of cutechess-cli. It runs if CUTECHESS_TESTING (default:
# CHECKOUT/cutechess-testing) has what it would download: cutechess-cli, sf_1 and sf_2 (Stockfish) and UHO_4060_v2.epd, 100 or more positions
# without move counters.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
checkout=$(cd "${1:?the folder of a checkout of fastchess}" && pwd)
shift
tanren=$(realpath -m "${TANREN:-$root/target/debug/tanren}")
if [ ! -x "$tanren" ]; then
    (cd "$root" && cargo build --locked)
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
logs=$root/target/fastchess_e2e
mkdir -p "$logs" "$folder/app"
cp -r "$checkout/app/tests" "$folder/app/"
cd "$folder"
ln -s "$tanren" fastchess
for engine in random_mover scripted_result; do
    g++ -O2 -std=c++17 -o $engine "$checkout/app/tests/mock/engine/$engine.cpp"
done
if [ $# = 0 ]; then
    for script in app/tests/e2e/*.sh; do
        name=$(basename "$script" .sh)
        # One calls all others, one is called by them.
        [ "$name" = e2e ] || [ "$name" = lib ] || set -- "$@" "$name"
    done
    testing=${CUTECHESS_TESTING:-$checkout/cutechess-testing}
    if [ -x "$testing/cutechess-cli" ]; then
        mkdir cutechess-testing
        for file in cutechess-cli sf_1 sf_2 UHO_4060_v2.epd; do
            ln -s "$(realpath "$testing/$file")" cutechess-testing/
        done
        # It builds fastchess first.
        printf 'all clean:\n' >Makefile
        set -- "$@" cutechess
    fi
fi

passed=0
for name; do
    script=app/tests/e2e/$name.sh
    [ -e "$script" ] || script=app/tests/$name/$name.sh
    if E2E_SKIP_BUILD=1 timeout 300 bash "$script" >"$logs/$name.log" 2>&1; then
        passed=$((passed + 1))
        rm "$logs/$name.log"
        echo "passed  $name"
    else
        echo "FAILED  $name: $(grep -v '^+' "$logs/$name.log" | tail -1)"
    fi
done
echo "$passed of $# passed"
[ "$passed" = $# ]
