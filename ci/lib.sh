# Shared by the ci scripts: source it. Everything said goes to stderr; failures exit 4.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${TARE_JOBS:-$(nproc)}

say() { printf 'tare: %s\n' "$*" >&2; }

die() {
    printf 'tare: %s\n' "$*" >&2
    exit 4
}

# One set-up or build at a time in this checkout; the others wait. Released when the script ends.
lock() {
    mkdir -p "$root/build"
    exec 9>"$root/build/.lock"
    if ! flock --nonblock 9; then
        say "waiting for another build of this checkout to finish"
        flock 9
    fi
}
