# Hooks as people write them for Claude Code, one set for all events, in a real repository and in the real pipe.

bats_require_minimum_version 1.5.0
load helper

setup_file() {
  umask 022
}

prepare() {
  umask 022
  export HOOKS=$BATS_TEST_DIRNAME/hooks AI_HOOK_ENV=HOOKS AI_CONV=$PWD/c.jsonl
  cp "$HOOKS/settings.json" settings.json
  export AI_HOOKS=$PWD/settings.json
  git init -q -b trunk .
  echo '{"permissions":{"allow":["Bash","Write","Edit"]}}' >rules.json
}

# The model makes calls. Usage: calls NAME JSON [NAME JSON]...
calls() {
  local list='' n=0
  while [ $# -gt 0 ]; do
    list="$list,{\"type\":\"tool_use\",\"id\":\"t$((n += 1))\",\"name\":\"$1\",\"input\":$2}"
    shift 2
  done
  printf '%s\n' "{\"role\":\"assistant\",\"content\":[${list#,}]}" >>c.jsonl
}

answer() {
  ai-pending <c.jsonl | ai-hook PreToolUse | ai-permit -p rules.json --hooks | ai-exec -T builtin | ai-hook PostToolUse >>c.jsonl
}

results() {
  jq -c 'select(.role=="user" and (.content|type)=="array") | .content[] | select(.type=="tool_result") | [.tool_use_id, .content]' c.jsonl
}

@test "SessionStart: what is printed is the model's, by source" {
  prepare
  run --separate-stderr ai-hook SessionStart
  is '{"role":"user","content":"On branch trunk.","_meta":{"source":"hook:SessionStart"}}' "$output"
  echo '{"role":"user","content":"x"}' >c.jsonl
  run --separate-stderr ai-hook SessionStart
  is resumed "$(jq -r .content <<<"$output")"
}

@test "UserPromptSubmit: a secret blocks, a plain prompt gets its context" {
  prepare
  run --separate-stderr ai-hook UserPromptSubmit <<<'my password: hunter2'
  is 2 "$status"
  is '' "$output"
  is 'ai-hook: blocked: there is a secret in the prompt: write it without' "$stderr"
  run --separate-stderr ai-hook UserPromptSubmit <<<'fix the bug'
  is 0 "$status"
  is "$(printf 'fix the bug\nThe project is %s.' "$(basename "$PWD")")" "$(jq -r .content <<<"$output")"
}

@test "PreToolUse: a command is refused with its reason, others run and are logged" {
  prepare
  calls Bash '{"command":"grep x y","description":"search"}' Bash '{"command":"echo fine"}' Bash '{"command":"rm -rf ."}'
  answer
  is '["t1","Not run: - use rg, it is faster."]
["t2","fine\n"]
["t3","Not run: - nothing is removed with all that is below it."]' "$(results)"
  is 'echo fine - no description
grep x y - search
rm -rf . - no description' "$(sort commands)"
}

@test "PreToolUse: JSON decisions, under the rules" {
  prepare
  echo hello >notes.md
  echo key >.env
  echo other >plain
  calls Read '{"file_path":"notes.md"}' Read '{"file_path":".env"}' Read '{"file_path":"plain"}'
  answer
  run results
  [[ ${lines[0]} == *hello* ]]
  [[ ${lines[1]} == *'Not run: .env is secret.'* ]]
  [[ ${lines[2]} == *"needs a person's permission"* ]]
}

@test "PostToolUse: what was written is formatted, and what is wrong with it told" {
  prepare
  calls Write '{"file_path":"a.txt","content":"one  \ntwo\n"}' Write '{"file_path":"b.txt","content":"TODO  \n"}'
  answer
  is 'one
two' "$(cat a.txt)"
  run jq -r 'select(._meta.source=="hook:PostToolUse") | .content' c.jsonl
  is 'PostToolUse hook on Write: 1:TODO
finish what is left to do in b.txt' "$output"
  run ai-pending -q c.jsonl
  is 1 "$status"
  ai-transform --to anthropic <c.jsonl >/dev/null
}

@test "PostToolUseFailure: a tool that fails is logged, one that was refused is not" {
  prepare
  calls Bash '{"command":"exit 3"}' Bash '{"command":"rm -r x"}'
  answer
  is 'PostToolUseFailure Bash (exit status 3)' "$(cat log)"
}

@test "Notification: a program is run with the message" {
  prepare
  mkdir bin
  printf '#!/bin/sh\necho "$@" >notified\n' >bin/notify-send
  chmod +x bin/notify-send
  PATH=$PWD/bin:$PATH ai-hook Notification --set message='I need you'
  is 'ai I need you' "$(cat notified)"
}

@test "Stop: the model goes on while the tests fail, and no longer than the hook wants" {
  prepare
  echo 'echo 1 failed; exit 1' >run-tests
  printf '%s\n' '{"role":"user","content":"fix it"}' '{"role":"assistant","content":"done"}' >c.jsonl
  run ai-hook Stop <c.jsonl
  is 2 "$status"
  is 'Stop hook feedback: The tests fail: 1 failed' "$(jq -r .content <<<"$output")"
  echo "$output" >>c.jsonl
  echo '{"role":"assistant","content":"really done"}' >>c.jsonl
  run ai-hook Stop <c.jsonl
  is '0 ' "$status $output"
}

@test "SubagentStop, PostCompact: side effects alone" {
  prepare
  echo '{"role":"assistant","content":"explored"}' | ai-hook SubagentStop
  ai-hook PostCompact --set compact_summary=shorter
  is 'SubagentStop - explored
PostCompact - shorter' "$(cat log)"
}

@test "PreCompact: the transcript is kept; by hand it is refused" {
  prepare
  echo '{"role":"user","content":"x"}' >c.jsonl
  ai-hook PreCompact --set trigger=auto
  cmp c.jsonl kept/*-auto.jsonl
  run ai-hook PreCompact
  is 2 "$status"
  [[ $output == *'not by hand'* ]]
}

@test "SessionEnd: every hook of the event runs" {
  prepare
  echo '{"role":"user","content":"x"}' >c.jsonl
  ai-hook SessionEnd --set reason=logout
  is 'SessionEnd - logout' "$(cat log)"
  cmp c.jsonl kept/*-logout.jsonl
}

@test "hooks of a repository that nobody named never run" {
  prepare
  unset AI_HOOKS
  mkdir .claude
  echo '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch pwned"}]}],"PreToolUse":[{"hooks":[{"type":"command","command":"touch pwned"}]}]}}' |
    tee .claude/settings.json >hooks.json
  ai-hook SessionStart
  calls Bash '{"command":"true"}'
  answer
  [ ! -e pwned ]
}

@test "a hook that is stopped in the middle has allowed nothing, and a result that was there is kept" {
  prepare
  echo '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch begun; sleep 20"}]}],"PostToolUse":[{"hooks":[{"type":"command","command":"touch begun; sleep 20"}]}]}}' >settings.json
  echo '{"type":"call","id":"a","name":"Bash","input":{"command":"true"}}' >calls
  ai-hook PreToolUse <calls >out &
  until [ -e begun ]; do sleep 0.05; done
  kill -TERM $!
  status=0
  wait $! || status=$?
  is 130 "$status"
  is '' "$(cat out)"
  rm begun
  echo '{"role":"tool","tool_call_id":"a","content":"ok","_meta":{"runs":[{"id":"a","name":"Bash","status":0}]}}' >results
  ai-hook PostToolUse <results >out 2>/dev/null &
  until [ -e begun ]; do sleep 0.05; done
  kill -KILL $!
  is 'result' "$(jq -r .type out)"
}

@test "ai-condense --hooks: the transcript is kept, PreCompact may block or advise, PostCompact learns the summary" {
  prepare
  printf '%s\n' '{"role":"user","content":"My name is Ada."}' '{"role":"assistant","content":"Hello Ada."}' '{"role":"user","content":"What is the weather?"}' \
    '{"role":"assistant","content":"I cannot see it."}' '{"role":"user","content":"And my name?"}' >c.jsonl
  ai-condense --budget 30 --hooks <c.jsonl >out
  is 2 "$(wc -l <out)"
  cmp c.jsonl "$HOME"/.local/state/ai/kept/*.jsonl
  is 600 "$(stat -c %a "$HOME"/.local/state/ai/kept/*.jsonl)"
  cmp c.jsonl kept/*-auto.jsonl
  grep -q '^PostCompact' log
  rm log
  ai-condense --budget 3000 --hooks <c.jsonl >out
  cmp c.jsonl out
  [ ! -e log ]
  echo '{"hooks":{"PreCompact":[{"matcher":"auto","hooks":[{"type":"command","command":"echo not now >&2; exit 2"}]}]}}' >no.json
  run --separate-stderr ai-condense --budget 30 --hooks=no.json c.jsonl
  is 2 "$status"
  is "$(cat c.jsonl)" "$output"
  is 'ai-condense: blocked: not now' "$stderr"
  echo '{"hooks":{"PreCompact":[{"hooks":[{"type":"command","command":"echo Keep every colour."}]}]}}' >advice.json
  long=$(printf 'The lamp is red and stands at the window of the kitchen, number %s. ' $(seq 300))
  printf '%s\n' '{"role":"user","content":"begin"}' "{\"role\":\"assistant\",\"content\":\"$long\"}" '{"role":"user","content":"go on"}' '{"role":"assistant","content":"yes"}' '{"role":"user","content":"and now?"}' >long.jsonl
  ai-condense --budget 2500 --strategy summary --hooks=advice.json --with 'tee asked' <long.jsonl >out 2>/dev/null || true
  grep -q 'Keep every colour' asked
}
