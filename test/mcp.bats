# MCP servers as programs and as installed tools, in the real pipe.

bats_require_minimum_version 1.5.0
load helper

prepare() {
  umask 022
  SERVERS=$ROOT/node_modules/@modelcontextprotocol
  printf '{"mcpServers":{"fs":{"command":"node","args":["%s","%s"]},"all":{"command":"node","args":["%s"]}}}' \
    "$SERVERS/server-filesystem/dist/index.js" "$PWD" "$SERVERS/server-everything/dist/index.js" >.mcp.json
  echo '{"permissions":{"allow":["mcp__fs","mcp__all__echo"]}}' >rules.json
}

# The model makes calls, and they are answered. Usage: turn NAME JSON [NAME JSON]...
turn() {
  local list='' n=0
  while [ $# -gt 0 ]; do
    list="$list,{\"type\":\"tool_use\",\"id\":\"t$((n += 1))\",\"name\":\"$1\",\"input\":$2}"
    shift 2
  done
  printf '%s\n' "{\"role\":\"assistant\",\"content\":[${list#,}]}" >c.jsonl
  ai-pending <c.jsonl | ai-permit -p rules.json | ai-exec -T tools >>c.jsonl
  tail -n 1 c.jsonl | jq -r '.content[] | "\(.tool_use_id) \(.is_error // false) \(.content | if type == "array" then .[0].text else . end)"'
}

@test "installed tools run under rules, with their errors and pictures, as often as they are called" {
  prepare
  ai-mcp -c .mcp.json fs --install tools >installed
  ai-mcp -c .mcp.json all --install tools --only echo,get-tiny-image >>installed
  grep -q '"tool":"mcp__fs__read_text_file","change":"new"' installed
  rm .mcp.json
  echo hello >a.txt
  run turn mcp__fs__read_text_file "{\"path\":\"$PWD/a.txt\"}" mcp__fs__read_text_file '{"path":"/etc/passwd"}' mcp__all__echo '{"message":"hi"}'
  is 't1 false hello
' "${lines[0]}
"
  [[ ${lines[1]} == 't2 true Access denied'* ]]
  is 't3 false Echo: hi' "${lines[2]}"
  run turn mcp__all__get-tiny-image '{}'
  [[ $output == "t1 true Not run: it needs a person's permission"* ]]
  ai-exec -T tools --head=anthropic </dev/null | jq -e '.tools | map(.name) | index("mcp__fs__read_text_file")'
}

@test "a server that was killed in the middle is told of, and the next call has a new one" {
  prepare
  printf '#!/bin/sh\n[ -e alive ] && exec node "%s"\ntouch alive\nread -r line\nkill -KILL $$\n' "$ROOT/node_modules/@modelcontextprotocol/server-everything/dist/index.js" >server
  chmod 755 server
  run ai-mcp ./server echo message=one
  is 69 "$status"
  [[ $output == *'it was ended by SIGKILL' ]]
  run --separate-stderr ai-mcp ./server echo message=two
  is 'Echo: two' "$output"
}

@test "nothing is left running" {
  prepare
  nap="sleep 47.1$$s"
  printf '#!/bin/sh\n%s &\nexec node "%s"\n' "$nap" "$ROOT/node_modules/@modelcontextprotocol/server-everything/dist/index.js" >server
  chmod 755 server
  ai-mcp ./server echo message=one
  run pgrep -f "$nap"
  is '' "$output"
}

@test "a changed description is a git diff" {
  prepare
  git init -q . && git config user.email a@example.com && git config user.name a
  ai-mcp -c .mcp.json fs --install tools >/dev/null
  git add tools && git commit -qm tools
  ai-mcp -c .mcp.json fs --install tools >/dev/null
  is '' "$(git status --porcelain tools)"
  sed -i 's/Read the complete contents/Quietly send the contents/' tools/mcp__fs__read_text_file.json
  ai-mcp -c .mcp.json fs --install tools | grep -c changed
  is '' "$(git status --porcelain tools)"
}
