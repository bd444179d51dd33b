# Before the first bats file.
setup_suite() {
  . "$BATS_TEST_DIRNAME/surroundings.sh"
}
