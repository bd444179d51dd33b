# What only a shell sees.

load helper

message='{"role":"user","content":"hello"}'

many() { # COUNT
  yes "$message" | head -n "$1"
}

@test "a reader that goes away is no failure" {
  run bash -c "set -o pipefail; yes '$message' | head -n 200000 | ai-transform | head -n 1; echo \${PIPESTATUS[2]}"
  is "$message"$'\n0' "$output"
}

@test "an empty input is an empty output" {
  for command in 'ai-transform --to anthropic' 'ai-route -m gpt-4o-mini' ai-recover-tools 'ai-condense --budget 5' 'ai-complete -m echo --allow-empty'; do
    run bash -c "$command </dev/null 2>&1"
    is '' "$output"
    is 0 "$status"
  done
}

@test "five programs in a row" {
  run bash -c "echo '$message' | ai-route -m claude-sonnet-4-5 | ai-condense --budget 80% | ai-complete -m echo | ai-recover-tools | ai-transform --to openai"
  is 0 "$status"
  is 3 "${#lines[@]}"
  [[ ${lines[2]} == *'"content":"hello"'* ]]
}

@test "an answer is appended to the file that it was read from" {
  echo "$message" >c.jsonl
  ai-complete -n -m echo <c.jsonl >>c.jsonl
  is 2 "$(wc -l <c.jsonl)"
  ai-complete -n -m echo <c.jsonl >>c.jsonl
  is 3 "$(wc -l <c.jsonl)"
}

@test "an answer appended to a file without a final newline begins on a line of its own" {
  printf '%s' "$message" >c.jsonl
  ai-complete -n -m echo <c.jsonl >>c.jsonl
  is 2 "$(wc -l <c.jsonl)"
  run ai-transform c.jsonl
  is 0 "$status"
}

@test "a file can be named, and - is standard input" {
  echo "$message" >a.jsonl
  run bash -c 'echo "{\"role\":\"user\",\"content\":\"two\"}" | ai-transform a.jsonl - a.jsonl'
  is 3 "${#lines[@]}"
  run ai-transform nosuch.jsonl
  is 74 "$status"
  is 'ai-transform: nosuch.jsonl: cannot open the file: no such file' "$output"
  run ai-transform .
  is 74 "$status"
}

@test "interrupted, a filter ends at once, by the signal" {
  mkfifo pipe
  sleep 3 >pipe &
  run bash -c 'set -m; ai-transform <pipe & sleep 0.5; kill -INT $!; wait $!'
  is 130 "$status"
}

@test "SIGINT ends a program that waits for its input with 130" {
  run bash -c 'set -m; (sleep 2 | ai-complete -m echo) & sleep 0.7; pkill -INT -f "dist/start.cjs ai-complete -m echo"; wait $!'
  is 130 "$status"
}

@test "the locale does not change what is said" {
  LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 run ai-transform --nonsense
  is 64 "$status"
  is "ai-transform: unknown option --nonsense (try 'ai-transform --help')" "$output"
}

@test "standard error may be closed" {
  run bash -c "echo '$message' | ai-transform --to openai 2>&-"
  is "$message" "$output"
  is 0 "$status"
}

@test "a full device is an error, not silence" {
  [ -e /dev/full ] || skip 'there is no /dev/full here'
  run bash -c "echo '$message' | ai-transform 2>&1 >/dev/full"
  is 74 "$status"
  [[ $output == *'no space left'* ]]
}

@test "a stream of 200 MB needs no more memory than a small one" {
  many 6000000 >big.jsonl
  run bash -c 'ulimit -v 4000000; /usr/bin/env time -f %M ai-transform big.jsonl 2>&1 >/dev/null | tail -n 1'
  [ "$(wc -c <big.jsonl)" -ge 200000000 ]
  if [[ $output =~ ^[0-9]+$ ]]; then [ "$output" -lt 150000 ]; else is 0 "$status"; fi
}

@test "a line of 100 MB comes through" {
  { printf '{"role":"user","content":"'; head -c 100000000 /dev/zero | tr '\0' a; printf '"}\n'; } >long.jsonl
  ai-transform --to anthropic long.jsonl | cmp - long.jsonl
}

@test "a program starts through a symlink, from anywhere" {
  ln -s "$ROOT/bin/ai-transform" link
  run bash -c "cd / && echo '$message' | '$BATS_TEST_TMPDIR/link'"
  is "$message" "$output"
}

@test "an old runtime is refused in one line" {
  old=$(type -ap node | while read -r node; do "$node" -e 'process.exit(parseInt(process.version.slice(1)) < 22 ? 0 : 1)' && echo "$node"; done | head -n 1)
  [ -n "$old" ] || skip 'there is no old runtime here'
  mkdir -p copy/bin copy/dist
  cp "$ROOT"/bin/ai-transform "$ROOT"/bin/.launch copy/bin/
  cp "$ROOT"/dist/*.cjs copy/dist/
  PATH=$(dirname "$old"):/usr/bin:/bin run copy/bin/ai-transform --version
  is 69 "$status"
  [[ $output == 'ai-transform: cannot run on Node v'*': it needs 22.13 or newer' ]]
}

@test "the packed program installs and runs elsewhere" {
  (cd "$ROOT" && npm pack --silent --ignore-scripts --pack-destination "$BATS_TEST_TMPDIR" >/dev/null)
  npm install --silent --global --prefix "$PWD/prefix" ./ai-coreutils-*.tgz >/dev/null 2>&1
  cd /
  run bash -c "echo '$message' | '$BATS_TEST_TMPDIR/prefix/bin/ai-transform' --to anthropic"
  is "$message" "$output"
}

@test "a long text is read whole" {
  yes 'a line of text that is not short' | head -n 20000 >long.txt
  run bash -c "ai-transform --from text --to openai long.txt | ai-transform --to text | sed -n '2,\$p' | sed 's/^  //;/^$/d' | cmp - long.txt && echo same"
  is same "$output"
}

@test "a log that is still being written is read, and said to be cut off" {
  printf '%s\n%s\n{"type":"message","id":"3","par' '{"type":"session","version":3,"id":"s","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/w"}' \
    '{"type":"message","id":"2","parentId":null,"timestamp":"2026-01-02T03:04:06.000Z","message":{"role":"user","content":"hi"}}' >log.jsonl
  run bash -c 'ai-transform --to text log.jsonl 2>&1 >/dev/null'
  is 0 "$status"
  is 'ai-transform: log.jsonl:3: skipped the last line of the log: it is truncated' "$output"
}

@test "a log is carried from one agent into the next" {
  echo "$message" | ai-transform --to claude-code >one.jsonl
  run bash -c 'ai-transform --to codex one.jsonl | ai-transform --to pi | ai-transform --to openai | tail -n 1 | jq -r .content'
  is hello "$output"
}

@test "the demonstration runs without a key and without a network" {
  cd "$ROOT"
  [ -z "$(env -i PATH="$PATH" HOME="$BATS_TEST_TMPDIR" node scripts/find-model.ts)" ] || skip 'a local server is running'
  run env -i PATH="$PATH" HOME="$BATS_TEST_TMPDIR" scripts/demo
  [ "$status" -eq 0 ]
  [[ $output == *'## Assistant'*'call Bash'* ]]
}

@test "a call that ai-route --preprocess has decided goes through ai-complete to the stages that run it" {
  echo 'int main;' >main.c
  for how in '' -q; do
    printf '%s\n' '{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"Read","parameters":{"type":"object","properties":{"file_path":{"type":"string"}},"required":["file_path"]}}}]}' \
      '{"role":"user","content":"Read the file main.c"}' |
      OPENAI_API_KEY=k ai-route --preprocess 2>/dev/null >decided.jsonl
    grep -q tool_calls decided.jsonl
    # Nobody listens there: a request would fail.
    OPENAI_API_KEY=k ai-complete $how --base-url http://127.0.0.1:9 <decided.jsonl >passed.jsonl 2>said
    cmp decided.jsonl passed.jsonl
  done
  is '' "$(cat said)"
  ai-pending <passed.jsonl | ai-permit -p builtin -o deny | ai-exec -T builtin >>passed.jsonl
  grep -q 'int main' passed.jsonl
  ai-complete -m echo -n <passed.jsonl | grep -q 'Read the file'
  # And nothing is added where only the answer is wanted.
  is '' "$(OPENAI_API_KEY=k ai-complete -q -n --base-url http://127.0.0.1:9 <decided.jsonl)"
}
