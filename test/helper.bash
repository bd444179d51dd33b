# For every bats file: the built programs on the PATH, and a home of each test's own. What else a test sees is surroundings.sh's matter.

setup() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  PATH=$ROOT/bin:$ROOT/node_modules/.bin:$PATH
  HOME=$BATS_TEST_TMPDIR/home
  mkdir -p "$HOME"
  export HOME PATH
  cd "$BATS_TEST_TMPDIR" || return
}

# Shows what differs. Usage: is WANTED GOT
is() {
  [ "$1" = "$2" ] && return
  diff <(printf '%s' "$1") <(printf '%s' "$2") >&2
  return 1
}
