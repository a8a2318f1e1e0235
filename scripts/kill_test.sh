#!/usr/bin/env bash
# Kills runs of every kind again and again at random moments, takes each up again, and compares every final
# file with that of an undisturbed run: all must be the same, byte for byte, but for the columns that measure time.
#
#   scripts/kill_test.sh [KILLS [TERMS [SEED]]]      default: 200 SIGKILLs, 50 SIGTERMs, seed 1
#
# TANREN names the program (target/release/tanren, built if absent). Exit code 0: nothing differs.
set -euo pipefail
kills=${1:-200}
terms=${2:-50}
RANDOM=${3:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
tanren=${TANREN:-$root/target/release/tanren}
if [ ! -x "$tanren" ]; then
    (cd "$root" && cargo build --release --locked)
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >night.toml <<'TOML'
[[job]]
name = "test"
command = "match"
a = "base"
b = "plain"
nodes = 400
pairs = 60
sprt = "elo0=-50,elo1=0"
[[job]]
name = "after"
command = "tournament"
only_if = "test.accepted"
player = ["base", "plain", "base,lmr=off"]
nodes = 200
pairs = 8
[[job]]
name = "otherwise"
command = "match"
only_if = "not test.accepted"
pairs = 20
nodes = 200
[[job]]
name = "count"
command = "nodes"
# Names without a comma, which the comparison below would take for the end of a column.
config = ["base", "foundation"]
depth = 7
limit_positions = 30
priority = 1
TOML

declare -A commands=(
    [match]="match --a base --b base,null_move=off --nodes 300 --pairs 60"
    [tournament]="tournament --player base --player plain --player base,lmr=off --nodes 300 --pairs 25"
    [queue]="run night.toml"
    [odds]="odds --a base --b base,lmr=off --nodes 300 --pairs 40 --batch 10"
    [ablate]="ablate --only lmr,null_move,futility --nodes 300 --pairs 15"
    [tune]="tune --tune futility.* --iterations 25 --pairs-per-iteration 2 --nodes 300 --confirm off"
    [nodes]="nodes --config base --config foundation --depth 8 --limit-positions 40"
)
kinds=(match tournament queue odds ablate tune nodes)

run() { # kind folder
    # shellcheck disable=SC2086 # the words of a command
    "$tanren" ${commands[$1]} --out "$2" --quiet
}

# Every file that does not measure time, as it is; tables without the columns that do.
digest() { # folder
    (
        cd "$1"
        find . -type f ! -name '*.sqlite*' ! -name '*.lock' ! -name '*.new' |
            LC_ALL=C sort | while read -r file; do
            case $file in
            *.csv)
                awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /^time_/ || $i ~ /^time_losses/ }
                         { line = ""; for (i = 1; i <= NF; i++) if (keep[i] || i > length(keep)) line = line "," $i; print line }' "$file" |
                    sha256sum | sed "s|-|$file|"
                ;;
            # Pages say how long moves took, in numbers with a point, games a second, nodes a second with a unit, how long a job ran, beside its command line, and where the run is.
            *.html) sed -E 's/<td class="number">[0-9.]+[kM]<\/td>//g; s|<td class="number">[0-9]+\.[0-9]+||g; s|<td class="number">[0-9]+</td>(<td>[a-z]+ --)|\1|g; s/[0-9.]+ games a second|毎秒[0-9.]+局//g; s|"folder":"[^"]*"||; s/(whole|killed)-[a-z]+//g' "$file" | sha256sum | sed "s|-|$file|" ;;
            *) sha256sum "$file" ;;
            esac
        done
    )
}

declare -A seconds
for kind in "${kinds[@]}"; do
    began=$(date +%s%N)
    run "$kind" "whole-$kind"
    seconds[$kind]=$((($(date +%s%N) - began) / 1000000))
    digest "whole-$kind" >"whole-$kind.digest"
    echo "undisturbed $kind: ${seconds[$kind]} ms, $(wc -l <"whole-$kind.digest") files"
done

different=0
compare() { # kind
    run "$1" "killed-$1"
    digest "killed-$1" >"killed-$1.digest"
    if ! diff "whole-$1.digest" "killed-$1.digest"; then
        echo "DIFFERENT: $1"
        different=$((different + 1))
    fi
    rm -rf "killed-$1"
}

done_kills=0 done_terms=0 late=0 runs=0 index=0
declare -A rounds
for kind in "${kinds[@]}"; do rounds[$kind]=0; done
while [ $((done_kills + done_terms)) -lt $((kills + terms)) ]; do
    kind=${kinds[$((index % ${#kinds[@]}))]}
    index=$((index + 1))
    signal=KILL
    left=$((kills + terms - done_kills - done_terms))
    if [ $((RANDOM % left)) -lt $((terms - done_terms)) ]; then signal=TERM; fi
    # At any moment from the start of the program to a good part of the whole run.
    wait_ms=$((RANDOM % (seconds[$kind] / 2 + 20)))
    # shellcheck disable=SC2086
    "$tanren" ${commands[$kind]} --out "killed-$kind" --quiet 2>/dev/null &
    pid=$!
    sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
    code=0
    kill -s "$signal" "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || code=$?
    case $signal:$code in
    KILL:137) done_kills=$((done_kills + 1)) ;;
    TERM:143) done_terms=$((done_terms + 1)) ;;
    *:0) late=$((late + 1)) ;;
    *)
        echo "UNEXPECTED: $kind ended with code $code after SIG$signal"
        exit 1
        ;;
    esac
    rounds[$kind]=$((rounds[$kind] + 1))
    # A folder is finished and compared now and then, so that the kills meet runs at every stage.
    if [ "$code" -eq 0 ] || [ "${rounds[$kind]}" -ge 6 ]; then
        compare "$kind"
        runs=$((runs + 1))
        rounds[$kind]=0
    fi
done
for kind in "${kinds[@]}"; do
    if [ "${rounds[$kind]}" -gt 0 ]; then
        compare "$kind"
        runs=$((runs + 1))
    fi
done
echo "$done_kills SIGKILLs, $done_terms SIGTERMs, $late too late; $runs runs compared, $different different"
[ "$different" -eq 0 ]
