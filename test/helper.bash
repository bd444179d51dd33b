# For every bats file: the built programs on the PATH, and a home of its own.

setup() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  PATH=$ROOT/bin:$ROOT/node_modules/.bin:$PATH
  HOME=$BATS_TEST_TMPDIR/home
  mkdir -p "$HOME"
  export HOME PATH LC_ALL=C
  unset XDG_CACHE_HOME XDG_CONFIG_HOME AI_MODEL AI_API_KEY ANTHROPIC_API_KEY OPENAI_API_KEY
  cd "$BATS_TEST_TMPDIR" || return
}

# Shows what differs. Usage: is WANTED GOT
is() {
  [ "$1" = "$2" ] && return
  diff <(printf '%s' "$1") <(printf '%s' "$2") >&2
  return 1
}
