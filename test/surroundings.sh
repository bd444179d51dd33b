# What the suite sees of whoever starts it: sourced by scripts/test and by bats, asked by vitest (setup.ts). Only what is named here is kept: a list of
# what to drop would miss the next variable.
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
  case $name in
    # Where programs, their libraries and temporary files are.
    PATH | PWD | TMPDIR | LD_LIBRARY_PATH | DYLD_LIBRARY_PATH) ;;
    # What the tests are asked to do.
    AI_CORPORA | AI_TEST_LLAMA | CALLS | CI | RUNS | UPDATE | BATS_* | VITEST | VITEST_*) ;;
    # A special builtin that fails would end the shell; bash does not let go of SHELLOPTS.
    *) command unset "$name" 2>/dev/null || : ;;
  esac
done
unset CDPATH name
export LC_ALL=C TZ=UTC TERM=dumb NO_COLOR=1 GIT_CONFIG_NOSYSTEM=1
umask 022
