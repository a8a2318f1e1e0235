#!/usr/bin/env bash
# Which changes of the code would no test notice? Small faults are planted one by one (cargo-mutants) in the parts that judge,
# count, store and identify, and the tests of that part are run against each.
#
#   scripts/mutants.sh PART [ARGUMENTS]       PART: stats stop tune runner ledger summary identity kinds, or all
#
# ARGUMENTS go to cargo mutants: --shard 0/8 takes an eighth, -f FILE one file, --list only lists. Survivors are printed; those
# that docs/dev/mutants.md names with a reason are known, any other is an error. It works on a copy of the tree, one fault at a
# time. OUT (target/mutants) is where logs go, TIMEOUT (20) the seconds that tests may take, NICE (15) the niceness.
# cargo install cargo-mutants --locked.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-target/mutants}
known=docs/dev/mutants.md
parts="stats stop tune runner ledger summary identity kinds"

# Package, files and the tests that should notice, of one part: what is built, and after -- which of it is run.
choose() {
    package=tanren tests=(--lib)
    case $1 in
        stats) package=tanren-stats files=('harness/stats/src/**') tests=(--lib) ;;
        stop) package=tanren-core files=('harness/core/src/stop.rs' 'harness/core/src/stop/**') tests=(--lib -- stop match_state crosstable runner) ;;
        tune) package=tanren-runs files=('harness/runs/src/kinds/tune/optimizer/**') tests=(--lib -- tune) ;;
        runner) package=tanren-core files=('harness/core/src/runner/**') tests=(--lib -- runner) ;;
        ledger) package=tanren-core files=('harness/core/src/ledger/**') tests=(--lib -- ledger runner record match_state) ;;
        summary) package=tanren-runs files=('harness/runs/src/document/summary.rs') tests=(--lib -- document report kinds) ;;
        identity) package=tanren-core files=('harness/core/src/config/identity.rs') tests=(--lib -- config ledger) ;;
        kinds) package=tanren-runs files=('harness/runs/src/kinds/**' 'harness/runs/src/session/**') tests=(--lib) ;;
        *)
            echo "unknown part '$1' (parts: $parts, all)" >&2
            exit 2
            ;;
    esac
}

# The mutants in $1, which no test noticed; docs/dev/mutants.md has a row for each that may live, since lines move and names do not.
survivors() {
    local line row status=0
    local -A seen=()
    while IFS= read -r line; do
        row="| \`${line%%:*}\` | \`${line#*: }\` |"
        seen[$row]=$((${seen[$row]:-0} + 1))
        if [ "${seen[$row]}" -le "$(grep -cF "$row" "$known")" ]; then
            echo "known     $line"
        else
            echo "survivor  $line"
            status=1
        fi
    done < "$1"
    return $status
}

part=${1:?"name a part: $parts, or all"}
shift
status=0
for part in $([ "$part" = all ] && echo "$parts" || echo "$part"); do
    choose "$part"
    # Nothing else is built, and that quickly: building takes most of the time.
    targets=(--cargo-arg=--config --cargo-arg=profile.dev.package.tanren.opt-level=0) filter=()
    for word in "${tests[@]}"; do
        if [ "$word" = -- ] || [ ${#filter[@]} -gt 0 ]; then filter+=("$word"); else targets+=("--cargo-arg=$word"); fi
    done
    mkdir -p "$out/$part"
    arguments=(--package "$package" "${targets[@]}" --jobs 1 --timeout "${TIMEOUT:-20}" --no-shuffle --output "$out/$part")
    # Files that the caller names take the place of those of the part.
    if [[ " $* " != *" -f "* ]]; then
        for file in "${files[@]}"; do arguments+=(--file "$file"); done
    fi
    code=0
    nice -n ${NICE:-15} cargo mutants "${arguments[@]}" "$@" -- "${filter[@]}" || code=$?
    # 2: some survived, 3: some ran into the time limit. Anything else that is not 0 is a failure of the run.
    if [ "$code" -ne 0 ] && [ "$code" -ne 2 ] && [ "$code" -ne 3 ]; then exit "$code"; fi
    missed=$out/$part/mutants.out/missed.txt
    if [ -f "$missed" ]; then survivors "$missed" || status=1; fi
done
exit $status
