#!/usr/bin/env bash
# The program for Windows under Wine: unit tests, and transcripts in which `tanren` is `tanren.exe`. A debug build, 3 GB below target.
#
#   scripts/windows.sh [unit|transcripts]...       default: both
#
# Needs `apt-get install wine gcc-mingw-w64-x86-64` and `rustup target add x86_64-pc-windows-gnu`.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh

target=x86_64-pc-windows-gnu
folder="${CARGO_TARGET_DIR:-target}"
mkdir -p "$folder/wine/examples"
folder="$(cd "$folder" && pwd)"
programs="$folder/wine"
export WINEPREFIX="${WINEPREFIX:-$programs/prefix}" WINEDEBUG=-all CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine
# Where snapshots are, which asks a Cargo that Wine does not have.
export INSTA_WORKSPACE_ROOT="$PWD"

# Wine before 9 lacks the library of the one function from which Rust takes random numbers.
mkdir -p "$WINEPREFIX"
wine wineboot --init 2>/dev/null
library="$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll"
[ -e "$library" ] || echo '#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T bytes) { return RtlGenRandom(data, (ULONG)bytes); }' |
    x86_64-w64-mingw32-gcc -shared -o "$library" -x c - -ladvapi32

# Tests that are about Unix say so themselves (`ignore = "paths of Unix"`). The engine has the same code everywhere, and hours of tests.
unit() {
    step cargo test -p tanren-core -p tanren-stats --lib --locked --target "$target"
}

# Kills, Ctrl-C, resumed runs, engines that crash and hang, Japanese and long paths. Not played, since on Windows
#   left_behind                        an engine that starts in the moment in which Tanren is killed can stay
#   engines, guard, lack, suspension   there are no --pin-cores, guards, ulimit and SIGSTOP
#   programs, notify, other_machine    there are no SIGTERM, sh and ssh
#   the others                         paths and errors of the system are in other words, or they are not about processes
played=(faults_decide interruption nodes_engines paths policies)

# The tests themselves run on Linux: they have its signals, its shell and its processes.
transcripts() {
    step cargo build --workspace --bins --examples --locked --target "$target"
    local program
    for program in tanren-engine examples/fault_engine examples/strength_engine; do
        ln -f "$folder/$target/debug/$program.exe" "$programs/$program.exe"
        ln -f "$folder/$target/debug/$program.exe" "$programs/$program"
    done
    ln -f "$folder/$target/debug/tanren.exe" "$programs/tanren.exe"
    printf '#!/bin/sh\nexec wine "%s/tanren.exe" "$@"\n' "$programs" >"$programs/tanren"
    chmod +x "$programs/tanren"
    # On the PATH, its name is short where it says how to resume a run.
    TANREN_PROGRAMS="$programs" WINEPATH="Z:${programs//\//\\}" TRANSCRIPT="$(IFS=, && echo "${played[*]}")" \
        step cargo test --workspace --test cli --locked transcripts
}

[ $# -gt 0 ] || set -- unit transcripts
for part in "$@"; do
    "$part"
done
