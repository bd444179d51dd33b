# What comes in: nothing, a text, or what is no conversation.

load helper

question='{"role":"user","content":"What is 2+2?"}'

@test "the first program of a pipe fails, and so does the pipe" {
  for last in 'ai-complete -m echo' ai-turn 'ai-turn --answer' 'ai-complete --dry-run -m echo' 'ai-complete --batch submit'; do
    run bash -c "echo '$question' | ai-condense --budget nonsense 2>/dev/null | $last"
    is 65 "$status"
    [[ $output == *'in the pipe may have failed'* ]]
  done
  run bash -c "ai-condense --budget nonsense </dev/null 2>/dev/null | ai-complete -m echo --allow-empty"
  is 0 "$status"
  is '' "$output"
}

@test "blank lines and records of ours alone are nothing to answer" {
  for input in '' '\n \n' '{"type":"stop","reason":"x"}\n'; do
    run bash -c "printf '$input' | ai-complete -m echo >/dev/null"
    is 65 "$status"
  done
}

@test "an empty file is no error for filters and counters" {
  : >empty.jsonl
  for command in 'ai-transform --to openai' 'ai-transform --check' ai-recover-tools 'ai-condense --budget 9' 'ai-route -m gpt-4o' 'ai-wc -q -m usd=2' 'ai-permit' 'ai-hook PreToolUse'; do
    run $command empty.jsonl
    is 0 "$status"
    is '' "$output"
  done
  run ai-grep x empty.jsonl
  is 1 "$status"
  run ai-pending empty.jsonl
  is 1 "$status"
  run bash -c 'ai-turn --say hi <empty.jsonl'
  is '{"role":"user","content":"hi"}' "$output"
}

@test "a text is a question" {
  run bash -c "echo 'What is 2+2?' | ai-complete -m echo -t"
  is 'What is 2+2?' "$output"
  run bash -c "echo 'What is 2+2?' | ai-complete -m echo"
  is "$question" "${lines[0]}"
  is 2 "${#lines[@]}"
  run bash -c "echo 'What is 2+2?' | ai-complete -m echo -n"
  is 1 "${#lines[@]}"
  printf '\xef\xbb\xbf\n  a "b"\n\n- c\n' >question.txt
  run ai-complete -m echo question.txt
  is '{"role":"user","content":"\n  a \"b\"\n\n- c"}' "${lines[0]}"
  run bash -c "seq 100000 | ai-complete -m echo -t | tail -n 1"
  is 100000 "$output"
}

@test "what begins with a bracket or a brace is no text" {
  for input in '{"role":"user"' ' \n[1,' '\xef\xbb\xbf{x'; do
    run bash -c "printf '$input' | ai-complete -m echo 2>&1"
    is 65 "$status"
  done
}

@test "what is neither JSON nor text is neither asked nor answered" {
  for input in 'a\0b' 'a\xffb' '\x89PNG\r\n'; do
    run bash -c "printf '$input' | ai-complete -m echo"
    is 65 "$status"
    [[ $output == *'neither JSON nor '* ]]
  done
}

@test "other programs say how a text is converted" {
  for command in ai-wc ai-turn ai-pending 'ai-grep x' 'ai-condense --budget 9' 'ai-route -m gpt-4o' ai-recover-tools ai-permit 'ai-transform --check'; do
    run bash -c "echo 'What is 2+2?' | $command"
    is 65 "$status"
    [[ $output == *'--from text'* ]] || [ "$command" = 'ai-grep x' ]
  done
  run bash -c "echo 'What is 2+2?' | ai-transform --from text --to openai | ai-turn"
  is model "$output"
}

strangers() { # makes a file for each
  echo '{"foo":1}' >object.jsonl
  echo '42' >number.jsonl
  echo "[$question]" >array.jsonl
  echo '{"sessionId":"s","type":"user","uuid":"u","parentUuid":null,"timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}' >claude.jsonl
  echo '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}' >codex.jsonl
  echo '{"role":"user","message":{"content":[{"type":"text","text":"hi"}]}}' >cursor.jsonl
  printf '%s\n' '{"type":"system","content":"s"}' '{"type":"user","content":"hi"}' '{"type":"reasoning","id":"r","summary":[]}' >grok.jsonl
  echo '{"type":"message_start","message":{"role":"assistant"}}' >event.jsonl
}

@test "what is not recognised is no success, and is passed on where records are" {
  strangers
  for file in *.jsonl; do
    for command in ai-wc 'ai-wc -q -m usd=2' 'ai-wc --json' ai-turn 'ai-turn --answer' 'ai-turn --say x' ai-pending 'ai-grep nowhere' 'ai-complete -m echo' 'ai-transform --check' 'ai-route --dry-run -m gpt-4o'; do
      # ai-grep reads logs and arrays, and puts events together.
      [[ $command == ai-grep* && $file =~ ^(array|claude|codex|event) ]] && continue
      [ "$command $file" = 'ai-complete -m echo number.jsonl' ] && continue # a text
      run $command "$file"
      is 65 "$status"
      [[ $output == *"$file:1: "* ]]
      is 1 "${#lines[@]}"
    done
    [ "$file" = event.jsonl ] && continue # its program says that the stream is not whole
    for command in 'ai-condense --budget 1000' 'ai-route -m gpt-4o' ai-recover-tools ai-permit 'ai-exec -T builtin' 'ai-hook PreToolUse' ai-transform; do
      run bash -c "$command $file 2>/dev/null"
      is 65 "$status"
      is "$(cat "$file")" "$output"
    done
  done
}

@test "one line says how a log is converted, and that works" {
  strangers
  for file in claude.jsonl codex.jsonl array.jsonl; do
    run ai-wc -q "$file"
    [[ $output == *"ai-transform --to anthropic $file | ai-wc"* ]]
    run bash -c "ai-transform -q --to anthropic $file | ai-turn"
    is model "$output"
    run ai-transform -q --check --to anthropic "$file"
    is 0 "$status"
  done
  run bash -c 'ai-transform -q --to anthropic <claude.jsonl | ai-wc -q -m messages=1'
  is 1 "$status"
  run ai-transform --to openai cursor.jsonl
  is 65 "$status"
}

@test "a log that holds no message is no success where it is all there is" {
  echo '{"type":"summary","summary":"s","leafUuid":"u"}' >empty-log.jsonl
  strangers
  run ai-transform --to openai empty-log.jsonl
  is 65 "$status"
  run bash -c 'ai-transform --to openai empty-log.jsonl claude.jsonl'
  is 0 "$status"
}

@test "what is known among what is not stays a conversation" {
  for input in "$question" '{"model":"gpt-4o"}' "{\"foo\":1}\n$question" "{\"type\":\"note\",\"text\":\"x\"}\n$question\n[1]" '{"type":"count","turns":1}' "{\"messages\":[$question]}" "{\"foo\":1}\n{\"messages\":[$question]}"; do
    for command in 'ai-wc -q -m usd=2' ai-turn 'ai-transform --to anthropic' 'ai-condense --budget 1000' 'ai-route -m gpt-4o' ai-recover-tools ai-permit 'ai-exec -T builtin' 'ai-transform --roll'; do
      run bash -c "printf '$input\n' | $command"
      is 0 "$status"
    done
  done
}

@test "each input is known by itself, and the others are counted" {
  strangers
  echo "$question" >good.jsonl
  run ai-wc -m turns=9 good.jsonl claude.jsonl
  is 65 "$status"
  [[ $output == *'messages    1'* ]]
  [[ $output == *'claude.jsonl:1: '* ]]
  run bash -c 'ai-wc --keep-going --json object.jsonl good.jsonl cursor.jsonl 2>errors'
  is 65 "$status"
  is 1 "${#lines[@]}"
  is 2 "$(wc -l <errors)"
  run ai-grep -c nowhere good.jsonl object.jsonl
  is 65 "$status"
  run ai-grep -c '2\+2' good.jsonl
  is 0 "$status"
}

@test "an agent does not work on a log" {
  strangers
  run ai-agent claude.jsonl 'go on'
  is 65 "$status"
  [[ $output == *'session log of claude-code'* ]]
}

@test "no warning of Node's about SQLite, and every other one" {
  cat >warns.cjs <<'JS'
const get = process.getBuiltinModule;
process.getBuiltinModule = (name) => {
  if (name === 'node:sqlite') {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
    process.emitWarning('Another is an experimental feature', 'ExperimentalWarning');
  }
  return get(name);
};
JS
  run bash -c "echo '$question' | NODE_OPTIONS='--require ./warns.cjs' AI_STATE=$PWD/state.db ai-complete -m gpt-4o --base-url http://127.0.0.1:9 --retries 0"
  [[ $output == *'cannot reach'* ]]
  [[ $output == *'Another is'* ]]
  [[ $output != *SQLite* ]]
}
