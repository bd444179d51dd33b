# The golden cases of test/cases/, through the built programs.

load helper

section() { # FILE NAME
  awk -v name="$2" '/^-- [a-z]+ --$/ { on = ($2 == name); next } on' "$1"
}

run_case() { # FILE
  local file=$1 command status
  command=$(sed -n 's/^\$ //p' "$file" | head -n 1)
  while IFS= read -r pair; do export "${pair?}"; done < <(sed -n '/^-- /q; s/^env //p' "$file")
  section "$file" stdin >stdin
  section "$file" stdout >want.out
  section "$file" stderr >want.err
  status=0
  bash -o pipefail -c "$command" <stdin >got.out 2>got.err || status=$?
  diff want.out got.out && diff want.err got.err && is "$(section "$file" exit)" "$status"
}

for file in "$BATS_TEST_DIRNAME"/cases/*/*.txt; do
  name=${file#"$BATS_TEST_DIRNAME/cases/"}
  # Without a process: bats reads this file again for every test.
  IFS= read -r title <"$file"
  bats_test_function --description "${name%.txt}: $title" -- run_case "$file"
done
