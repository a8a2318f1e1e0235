#!/usr/bin/env bash
# Plays the jobs whose figures README.md quotes again, as a study of today (results/<date>-readme), and quotes that: a step of every
# release, some ten minutes on one core. TANREN=PROGRAM plays with another program than a new build.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -n "${TANREN:-}" ] || cargo build --release --locked
study=results/$(date +%F)-readme report=README.md
mkdir -p "$study"
cat >"$study/$report" <<MARKDOWN
---
engine: shogi $(sed -n 's/^shogi,base,//p' engine/signatures.csv), chess $(sed -n 's/^chess,base,//p' engine/signatures.csv)
date: $(date +%F)
machine: $(uname -sm), $(rustc --version | cut -d' ' -f1-2)
command: scripts/readme.sh
---

# The figures of the README

MARKDOWN
for file in $(grep -o '<!-- results/[^ ]*' README.md | cut -d/ -f2- | sort -u); do
    from=${file%%/*} job=${file#*/}
    job=${job%/*}
    queue=$(grep -l "^name = \"$job\"" "results/$from"/*.toml)
    out=target/readme/$(basename "$queue" .toml)
    "${TANREN:-target/release/tanren}" run "$queue" --only "$job" --out "$out" --quiet
    mkdir -p "$study/$job"
    cp "$out/${file#*/}" "$study/$job/"
    [ -e "$study/${queue##*/}" ] || cp "$queue" "$study/"
    echo "- \`$job\` of \`$queue\`" >>"$study/$report"
    sed -i "s#<!-- results/$file #<!-- $study/${file#*/} #g" README.md
done
TANREN_REWRITE_DOCS=1 cargo test -p tanren --test docs --locked
