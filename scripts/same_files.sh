#!/usr/bin/env bash
# Plays short runs of every kind, both games, other programs too, with each of two programs `tanren`, and compares every file
# and everything that was said on stdout: whoever changes no play, no number and no file proves it here, in two minutes. Only
# runs that a clock decides are not among them.
#
#   scripts/same_files.sh OLD NEW [FOLDER]      OLD: a program `tanren`, or a folder that --record left
#   scripts/same_files.sh --record TANREN FOLDER
#
# The recordings stay in FOLDER/old and FOLDER/new (a temporary folder if absent). What measures time and what is said on stderr is
# left out (scripts/same_files.py). Exit code 0: nothing differs; 1: the differences are listed.
#
# FAULT_ENGINE is the engine for tests (target/debug/examples/fault_engine, built if absent), the same for both programs.
# stockfish and fairy-stockfish play if they are installed where OLD is recorded; tanren-engine is the one beside TANREN.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# play NAME ARGUMENT...: one command in the present folder, and what it said below said/.
play() {
    local name=$1 code=0
    shift
    echo "$*" >"said/$name.command"
    ./engines/tanren "$@" >"said/$name.out" 2>"said/$name.err" || code=$?
    echo "$code" >"said/$name.code"
}

# pausable KIND [--pause-after PAIRS]: a run that is taken up where it stopped.
pausable() {
    local kind=$1 arguments
    shift
    case $kind in
    shogi | chess) arguments=(match --game "$kind" --a base --b plain --nodes 150 --pairs 40 --sprt elo0=0,elo1=30) ;;
    tournament)
        arguments=(tournament --game chess --player base --player plain --player base,lmr=off --nodes 100 --pairs 6)
        ;;
    tune)
        arguments=(tune --game chess --tune 'futility.*' --nodes 100 --iterations 20 --pairs-per-iteration 2
            --node-jitter 10 --confirm-pairs 6)
        ;;
    esac
    play "paused-$kind${2:+-$2}" "${arguments[@]}" "${two[@]}" --out "paused-$kind" "$@"
}

matches() {
    play match match --a base --b plain --nodes 200 --pairs 10 "${two[@]}" --out match
    play match-same match --a base --b base,null_move=off --nodes 200 --pairs 6 "${two[@]}" --out match-same --json
    play match-limits match --a tacos-ss --b tacos-ds --label-a SS --label-b DS --nodes-a 300 --depth-b 3 --pairs 5 \
        --order sequential --seed 7 --hash 1 --max-plies 120 --declaration 24 "${two[@]}" --out match-limits
    play match-rules match --a base --b foundation --nodes 300 --pairs 6 --repetition off --declaration off \
        --resign score=600,moves=3 --draw from=20,moves=4,score=60 "${two[@]}" --out match-rules
    play match-jitter match --a base --b plain --nodes 250 --node-jitter 20 --pairs 8 "${two[@]}" --out match-jitter
    play match-sprt match --a base --b plain --nodes 300 --pairs 300 --sprt elo0=0,elo1=40 "${two[@]}" --out match-sprt
    play match-sprt-logistic match --a base --b base,lmr=off --nodes 100 --pairs 60 "${two[@]}" \
        --sprt elo0=0,elo1=150,model=logistic,alpha=0.1,beta=0.2 --out match-sprt-logistic --json
    play match-chess match --game chess --a base --b plain --nodes 200 --pairs 10 "${two[@]}" --out match-chess
    play match-chess-sprt match --game chess --a base --b plain --nodes 150 --node-jitter 10 --pairs 200 \
        --sprt elo0=-20,elo1=60 --resign score=700,moves=2,both "${two[@]}" --out match-chess-sprt
    printf '%s\n' 'preset = "base"' '[settings]' 'lmr = "off"' >player.toml
    play match-file match --a @player.toml --b base --nodes 150 --pairs 4 "${two[@]}" --out match-file
    for game in shogi chess; do
        pausable "$game" --pause-after 4
        cp -r "paused-$game" "paused-$game-at-4"
        pausable "$game" --pause-after 9
        pausable "$game"
    done
    play again-match run match/run.toml "${two[@]}" --out again-match
    play again-jitter run match-jitter/run.toml "${two[@]}" --out again-jitter --json
}

tournaments() {
    play tournament tournament --player base --player plain --player base,lmr=off --nodes 150 --pairs 6 \
        "${two[@]}" --out tournament
    play tournament-limits tournament --player base --player '{ name = "half", player = "base", nodes = 75 }' \
        --player '{ name = "shallow", player = "plain", depth = 2 }' --nodes 150 --pairs 5 \
        --sprt elo0=0,elo1=50 "${two[@]}" --out tournament-limits --json
    play gauntlet tournament --gauntlet 1 --player base --player plain --player tacos-n --nodes 120 --pairs 5 \
        --node-jitter 10 --resign score=900,moves=2 "${two[@]}" --out gauntlet
    play gauntlet-chess tournament --game chess --format gauntlet --player base --player plain --player base,lmr=off \
        --nodes 120 --rounds 5 "${two[@]}" --out gauntlet-chess
    pausable tournament --pause-after 7
    cp -r paused-tournament paused-tournament-at-7
    pausable tournament
    play again-gauntlet run gauntlet/run.toml "${two[@]}" --out again-gauntlet
}

studies() {
    play odds odds --a base --b plain --nodes 100 --pairs 60 --batch 20 "${two[@]}" --out odds
    play odds-more odds --a base --b plain --nodes 100 --pairs 80 --batch 20 "${two[@]}" --out odds
    play odds-chess odds --game chess --a plain --b base --nodes 100 --node-jitter 10 --pairs 40 --batch 10 --ratio-max 8 \
        "${two[@]}" --out odds-chess --json
    play ablate ablate --only null_move,lmr,correction --also lmr.base=500 --pairs 8 --nodes 100 --node-depth 4 \
        "${two[@]}" --out ablate
    play ablate-straddle ablate --only lmr --pairs 5 --straddle-pairs 15 --nodes 100 --node-depth 0 "${two[@]}" \
        --out ablate-straddle --json
    play ablate-chess ablate --game chess --only null_move,futility --pairs 6 --nodes 100 --node-depth 5 \
        --nodes-max 3000 "${two[@]}" --out ablate-chess
    play ablate-list ablate --list
    play nodes nodes --config base --config tacos-ss --config tacos-ds --depth 5 --limit-positions 20 "${two[@]}" --out nodes
    play nodes-chess nodes --game chess --depth 6 --limit-positions 20 --nodes-max 4000 "${two[@]}" --out nodes-chess
    play nodes-json nodes --game chess --depth 4 --limit-positions 5 "${two[@]}" --out nodes-json --json
}

tunings() {
    local short=(--tune 'lmr.base,lmr.slope' --nodes 80 --games 60)
    play tune tune "${short[@]}" --confirm-pairs 12 --confirm elo0=0,elo1=100 "${two[@]}" --out tune
    play tune-alone tune --tune 'lmr.*' --nodes 100 --games 80 --confirm off "${two[@]}" --out tune-alone --json
    play tune-spsa tune "${short[@]}" --method spsa --lag 2 --confirm off "${two[@]}" --out tune-surface
    pausable tune --pause-after 9
    cp -r paused-tune paused-tune-at-9
    pausable tune
    play tune-widths tune "${short[@]}" --widths measured:0.05 --confirm off "${two[@]}" --out tune-widths
    play params-space params --space 'eval.hand.*'
    cp said/params-space.out hand.txt
    play tune-space tune --space hand.txt --nodes 80 --games 40 --confirm off "${two[@]}" --out tune-space
    play tune-process tune --player usi:./engines/tanren-engine --space hand.txt --nodes 80 --games 16 --confirm off \
        "${two[@]}" --out tune-process
    play tuned match --a @tune/tuned.toml --b base --nodes 80 --pairs 4 "${two[@]}" --out tuned
    play tune-bench tune --bench --games 200,1000 --seeds 3 "${two[@]}" --out methods.csv
    play simulate simulate --elo 0,10 --draws 0.02,0.4 --bias 50,90 --sprt 0,60 --matches 200 --fixed 100 "${two[@]}" \
        --out simulate.csv
    play simulate-json simulate --elo 30 --sprt 0,60 --sprt 0,60,model=logistic --matches 100 "${two[@]}" --json
}

processes() {
    play process match --a base --b usi:./engines/tanren-engine --nodes 150 --pairs 4 "${two[@]}" --out process
    play fault-none match --a base,lmr=off --b usi:./engines/fault_engine --nodes 100 --pairs 4 "${two[@]}" --out fault-none
    # One worker: a fault happens at a question of a process, and two would take pairs as they come.
    for fault in "illegal-move 5" "crash-in-thought 3" "resignation 9" "garbage 2" "false-declaration 4" "nonsense-info 1"; do
        play "fault-${fault% *}" match --a base --b "usi:./engines/fault_engine $fault" --nodes 60 --pairs 3 \
            --concurrency 1 --out "fault-${fault% *}"
    done
    play fault-stop match --a base --b 'usi:./engines/fault_engine illegal-move 3' --nodes 60 --pairs 4 \
        --on-fault illegal_move=stop --concurrency 1 --out fault-stop
    play fault-replay match --a base --b 'usi:./engines/fault_engine crash-in-thought 6' --nodes 60 --pairs 3 \
        --on-fault all=replay:2 --concurrency 1 --out fault-replay
    play tournament-process tournament --player base --player usi:./engines/tanren-engine,name=outside,lmr=off \
        --player 'usi:./engines/fault_engine,name=tester' --nodes 80 --pairs 3 "${two[@]}" --out tournament-process
    if [ -e engines/stockfish ]; then
        play stockfish match --game chess --a base --b uci:./engines/stockfish,option.Threads=1 --nodes-a 400 --nodes-b 60 \
            --pairs 4 "${two[@]}" --out stockfish
    fi
    if [ -e engines/fairy-stockfish ]; then
        play fairy match --a base --b usi:./engines/fairy-stockfish,option.UCI_Variant=shogi,option.Threads=1 \
            --nodes-a 400 --nodes-b 60 --pairs 4 "${two[@]}" --out fairy
    fi
}

queues() {
    cat >night.toml <<'TOML'
[[job]]
name = "test"
command = "match"
a = "base"
b = "plain"
nodes = 150
pairs = 60
sprt = "elo0=-50,elo1=0"
[[job]]
name = "after"
command = "tournament"
only_if = "test.accepted"
player = ["base", "plain", "base,lmr=off"]
nodes = 80
pairs = 3
[[job]]
name = "otherwise"
command = "match"
only_if = "not test.accepted"
pairs = 6
nodes = 80
[[job]]
name = "short"
command = "match"
pairs = 20
nodes = 80
budget_pairs = 5
[[job]]
name = "count"
command = "nodes"
config = ["base", "foundation"]
depth = 4
limit_positions = 10
priority = 1
[[job]]
name = "tuning"
command = "tune"
tune = "lmr.base"
nodes = 60
games = 20
confirm = "off"
[[job]]
name = "even"
command = "odds"
b = "plain"
nodes = 60
pairs = 20
batch = 10
[[job]]
name = "worth"
command = "ablate"
only = "lmr"
nodes = 60
pairs = 4
node_depth = 3
TOML
    play queue-plan run night.toml --dry-run --out night
    play queue run night.toml "${two[@]}" --out night
    play queue-again run night.toml "${two[@]}" --out night
    play queue-example run --example
}

suites() {
    play generate openings generate --count 12 --seed 5 --nodes 800 "${two[@]}" --out made.sfen
    play generate-chess openings generate --game chess --count 12 --seed 5 --nodes 800 "${two[@]}" --out made.epd
    play generate-endgame openings generate --count 4 --phase endgame --nodes 400 "${two[@]}" --out endgame.sfen
    cat made.sfen made.sfen >twice.sfen
    play openings-check openings check made.sfen
    play openings-check-chess openings check --game chess made.epd
    play openings-dedup openings dedup twice.sfen --out once.sfen
    play openings-stats openings stats made.sfen
    play match-openings match --openings made.sfen --nodes 80 --pairs 20 --repeat "${two[@]}" --out match-openings
    play perft perft --depth 3 --divide
    play perft-chess perft --game chess --depth 3 --json
    play params params
    play params-chess params --game chess --json
    play sprt sprt --counts 379,10170,21828,10640,343 --sprt 0,2
    play sprt-wdl sprt --wdl 120,30,90 --sprt 0,10,model=logistic --json
    play sprt-forecast sprt --sprt 0,5
    play sprt-forecast-draws sprt --sprt 0,5,model=logistic --elo -3,0,2.5 --draws 0.5 --bias 90 --json
}

# report DIR: the files of a copy of DIR made again, as text and as JSON, with records where it has games.
report() {
    local folder=$1 as=reported/${1//\//-}
    cp -r "$folder" "$as"
    play "report-$(basename "$as")" report "$as"
    play "report-$(basename "$as")-json" report "$as" --json
    if [ -f "$folder/games.csv" ]; then
        case $folder in
        *chess* | *stockfish*) play "records-$(basename "$as")" report "$as" --records pgn ;;
        *) play "records-$(basename "$as")" report "$as" --records csa,kif ;;
        esac
        play "replay-$(basename "$as")" replay "$as" --game 1
        play "replay-$(basename "$as")-json" replay "$as" --pair 2 --json
    fi
}

folders() { # every folder of a run
    find . -path ./reported -prune -o \( -name ledger.sqlite -o -name odds.csv -o -name ablation.csv \
        -o -name queue.csv \) -printf '%h\n' | sed 's|^\./||' | LC_ALL=C sort -u
}

reports() {
    mkdir -p reported
    for folder in $(folders); do report "$folder"; done
    play report-side-by-side report match match-sprt match-jitter
    play report-side-by-side-json report match match-sprt --json
    play report-nowhere report nowhere
}

record() { # program folder
    local program folder=$2
    program=$(realpath "$1")
    rm -rf "$folder"
    mkdir -p "$folder/said" "$folder/engines"
    ln -s "$program" "$folder/engines/tanren"
    local engine
    engine=$(dirname "$program")/tanren-engine
    if [[ $("$engine" --help 2>&1) == *--tunables* ]]; then
        printf '#!/bin/sh\nexec %s --tunables\n' "$engine" >"$folder/engines/tanren-engine"
        chmod +x "$folder/engines/tanren-engine"
    else
        ln -s "$engine" "$folder/engines/tanren-engine"
    fi
    ln -s "$fault_engine" "$folder/engines/fault_engine"
    for name in stockfish fairy-stockfish; do
        if other=$(PATH=$PATH:/usr/games command -v "$name"); then ln -s "$other" "$folder/engines/$name"; fi
    done
    (
        cd "$folder"
        for part in matches tournaments studies tunings processes queues suites reports; do
            SECONDS=0
            "$part"
            echo "$part: $SECONDS s" >&2
        done
    )
}

two=(--concurrency 2)
fault_engine=${FAULT_ENGINE:-$root/target/debug/examples/fault_engine}
if [ ! -x "$fault_engine" ]; then
    (cd "$root" && cargo build --locked -p tanren --example fault_engine)
fi
fault_engine=$(realpath "$fault_engine")

if [ "${1:-}" = --record ] && [ $# -eq 3 ]; then
    record "$2" "$3"
    exit 0
fi
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 2
fi
old=$1 new=$2
if [ $# -eq 3 ]; then
    mkdir -p "$3"
    folder=$(realpath "$3")
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
if [ ! -d "$old" ]; then
    record "$old" "$folder/old"
    old=$folder/old
fi
record "$new" "$folder/new"
code=0
python3 "$root/scripts/same_files.py" "$old" "$folder/new" || code=1
exit "$code"
