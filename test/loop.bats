# The loop in a real shell: files that grow, terminals, signals.

bats_require_minimum_version 1.5.0
load helper

# A conversation in which the model has just made calls. Usage: calls NAME JSON [NAME JSON]...
calls() {
  local list='' n=0
  while [ $# -gt 0 ]; do
    list="$list,{\"type\":\"tool_use\",\"id\":\"t$((n += 1))\",\"name\":\"$1\",\"input\":$2}"
    shift 2
  done
  printf '%s\n' '{"role":"user","content":"go"}' "{\"role\":\"assistant\",\"content\":[${list#,}]}"
}

rules() { # JSON
  (umask 022 && printf '{"permissions":%s}\n' "$1" >rules.json)
}

turn() { # FILE [OPTION OF ai-permit]...
  local file=$1
  shift
  ai-pending <"$file" | ai-permit -p rules.json "$@" | AI_CONV=$file ai-exec -T builtin >>"$file"
}

# Runs a command on a terminal of its own, typing a line for each question. Usage: typing 'LINE\nLINE\n' COMMAND
typing() {
  python3 -c 'import pty' 2>/dev/null || skip 'there is no python3 with pty here'
  python3 "$ROOT/test/fixtures/terminal.py" '' "$(printf '%b' "$1" | sed 's/$/\\n|/' | tr -d '\n' | sed 's/|$//')" bash -c "$2"
}

@test "a turn: calls from the file, results behind them, nothing left open" {
  rules '{"allow":["Write(out/**)","Bash(cat:*)"]}'
  calls Write '{"file_path":"out/a","content":"hello\n"}' Bash '{"command":"cat out/a"}' Bash '{"command":"rm out/a"}' >c.jsonl
  turn c.jsonl
  is 'hello' "$(cat out/a)"
  run ai-pending -q c.jsonl
  is 1 "$status"
  run jq -c 'select(.role=="user" and (.content|type)=="array") | [.content[] | [.tool_use_id, .is_error, (.content|split("\n")[0])]]' c.jsonl
  is '[["t1",null,"out/a: Created the file (1 line)."],["t2",null,"hello"],["t3",true,"Not run: it needs a person'"'"'s permission, but there is nobody to ask (no rule allows \"rm out/a\")."]]' "$output"
}

@test "the same file again changes nothing" {
  rules '{"defaultMode":"bypassPermissions"}'
  calls Bash '{"command":"echo x >>log"}' >c.jsonl
  turn c.jsonl
  turn c.jsonl
  is 1 "$(wc -l <log)"
  is 4 "$(wc -l <c.jsonl)"
}

@test "a file whose last line has no end is appended to on a line of its own" {
  rules '{"defaultMode":"bypassPermissions"}'
  calls LS '{}' | head -c -1 >c.jsonl
  turn c.jsonl
  run jq -r .role c.jsonl
  is $'user\nassistant\nuser' "$output"
}

@test "what a killed writer left at the end is told and skipped" {
  calls LS '{}' >c.jsonl
  printf '{"role":"user","content":[{"type":"tool_re' >>c.jsonl
  run --separate-stderr ai-pending c.jsonl
  is 0 "$status"
  is 1 "${#lines[@]}"
  [[ $stderr == 'ai-pending: c.jsonl:3: skipped the last line: it is truncated'* ]]
}

@test "a person says yes, no, and why" {
  rules '{}'
  calls Bash '{"command":"echo one"}' Bash '{"command":"echo two"}' Bash '{"command":"echo three"}' >c.jsonl
  ai-pending c.jsonl >calls
  run typing 'y\nn\nn use four\n' 'ai-permit -p rules.json <calls >decided'
  [[ $output == *'  | command: echo one'* ]]
  is $'allow null\ndeny the user said no\ndeny the user said no: use four' "$(jq -r '"\(.decision) \(.reason)"' decided)"
}

@test "a call that is put off stays open, and can be decided later" {
  rules '{"allow":["LS"]}'
  calls LS '{}' Bash '{"command":"echo later"}' >c.jsonl
  turn c.jsonl --on-ask stop || true
  is 'result' "$(tail -n 1 c.jsonl | jq -r .type)"
  ai-pending -q c.jsonl
  rules '{"allow":["LS","Bash(echo:*)"]}'
  turn c.jsonl
  is '["t1","t2"]' "$(tail -n 1 c.jsonl | jq -c '[.content[].tool_use_id]')"
  is 1 "$(grep -c '"type":"started"' c.jsonl)"
}

@test "in the background of a terminal nobody is asked, and nothing hangs" {
  rules '{}'
  calls Bash '{"command":"echo x"}' | ai-pending >calls
  run typing '' 'set -m; timeout 10 ai-permit <calls >decided & wait $!; echo status $?'
  [[ $output == *'status 0'* ]]
  is nobody "$(jq -r .by decided)"
}

@test "a tool may ask the person, though it runs behind pipes" {
  rules '{"defaultMode":"bypassPermissions"}'
  calls AskUserQuestion '{"questions":[{"question":"Which colour?","options":[{"label":"red"},{"label":"blue"}]}]}' >c.jsonl
  export -f turn
  run typing '2\n' 'bash -c "turn c.jsonl"'
  [[ $output == *'? Which colour?'* ]]
  is $'Which colour?\n→ blue' "$(tail -n 1 c.jsonl | jq -r '.content[0].content')"
  calls AskUserQuestion '{"questions":[{"question":"Which colour?","options":[{"label":"red"}]}]}' >d.jsonl
  setsid -w bash -c 'turn d.jsonl'
  [[ $(tail -n 1 d.jsonl | jq -r '.content[0].content') == 'Nobody can be asked'* ]]
}

@test "a tool in five lines of shell" {
  mkdir tools
  printf '%s\n' '#!/bin/sh' 'jq -r .text | tr a-z A-Z' >tools/shout
  echo '{"name":"shout","description":"Says it loudly","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"readOnlyHint":true}}' >tools/shout.json
  chmod 755 tools tools/shout
  rules '{"allow":["shout"]}'
  calls shout '{"text":"hello"}' >c.jsonl
  ai-pending <c.jsonl | ai-permit -p rules.json | ai-exec -T tools:builtin >>c.jsonl
  is HELLO "$(tail -n 1 c.jsonl | jq -r '.content[0].content')"
  is '["shout","Read"]' "$(ai-exec -T tools:builtin --only shout,Read --head=openai </dev/null | jq -c '[.tools[].function.name]')"
}

@test "every tool that comes along is described for every dialect, and answers in a batch" {
  run bash -c 'ai-exec -T builtin --head </dev/null | jq ".tools | length"'
  is 24 "$output"
  for tool in "$ROOT"/tools/*.json; do
    name=$(basename "$tool" .json)
    run bash -c "echo '{}' | setsid -w '$ROOT/tools/$name' 2>&1"
    [ -n "$output" ]
    [[ $output != *'internal error'* ]]
  done
}

@test "commands of the shell do not outlive a killed ai-exec" {
  rules '{"defaultMode":"bypassPermissions"}'
  # Of this run alone: another may be at work beside it.
  nap="sleep 47.0$$s"
  calls Bash "{\"command\":\"$nap\"}" >c.jsonl
  ai-pending <c.jsonl | ai-permit -p rules.json >decided
  ai-exec -T builtin <decided >out &
  pid=$!
  for _ in $(seq 50); do pgrep -f "$nap" >/dev/null && break || sleep 0.1; done
  kill -KILL "$pid"
  for _ in $(seq 50); do pgrep -f "$nap" >/dev/null || break; sleep 0.1; done
  run pgrep -f "$nap"
  is '' "$output"
}
