#!/usr/bin/env bash
# Gives every parser, and the conversation of the engine, what nobody would write.
#
#   scripts/fuzz.sh SECONDS [TARGET…]         each target for so long
#   scripts/fuzz.sh --runs N [TARGET…]        each target so often
#
# Needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz --locked). Starts from the seeds in harness/fuzz/corpus and goes on
# with what earlier runs found in target/fuzz-corpus. A target that fails leaves its input in target/fuzz-artifacts, and makes the
# script fail at its end: minimise it (cargo +nightly fuzz tmin), mend the fault, and make an ordinary test of it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

case "${1:-}" in
--runs)
    [ $# -ge 2 ] || usage
    bound="-runs=$2"
    shift 2
    ;;
'' | *[!0-9]*) usage ;;
*)
    bound="-max_total_time=$1"
    shift
    ;;
esac
if [ $# -eq 0 ]; then
    targets=(harness/fuzz/src/bin/*.rs)
    targets=("${targets[@]##*/}")
    set -- "${targets[@]%.rs}"
fi

# Nothing of the parsers is unsafe, so that the address sanitizer would only take time; overflow and assertions are checked.
cargo +nightly fuzz build --fuzz-dir harness/fuzz --target-dir target/fuzz --sanitizer none >&2
programs=$(echo target/fuzz/*/release)
failed=()
for target in "$@"; do
    corpus=target/fuzz-corpus/$target artifacts=target/fuzz-artifacts/$target/ log=target/fuzz-corpus/$target.log
    mkdir -p "$corpus" "$artifacts"
    dictionary=()
    [ ! -e "harness/fuzz/dictionaries/$target.dict" ] || dictionary=("-dict=harness/fuzz/dictionaries/$target.dict")
    before=$(find "$artifacts" -type f | wc -l)
    # One that runs out of time or memory has found something as well.
    "$programs/$target" "$bound" -max_len=1024 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "${dictionary[@]}" \
        -artifact_prefix="$artifacts" "$corpus" "harness/fuzz/corpus/$target" 2>"$log" || failed+=("$target")
    runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    found=$(($(find "$artifacts" -type f | wc -l) - before))
    echo "$target: ${runs:-0} executions, ${rate:-0} a second, $(find "$corpus" -type f | wc -l) inputs kept, $found found"
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]} (target/fuzz-artifacts, target/fuzz-corpus/*.log)" >&2
    exit 1
fi
