# The recipes, each in a real repository, with a model that answers what a file says.

bats_require_minimum_version 1.5.0
load helper

# A repository with one commit.
repository() {
  umask 022
  git init -q -b trunk "$1"
  cd "$1" || return
  git config user.email a@example.com
  git config user.name a
  git config commit.gpgsign false
  echo one >file
  git add file
  git commit -qm first
}

# Puts a model in the place of ai-complete: a shell script that gets the last message and prints the text of its answer.
model() {
  mkdir -p "$BATS_TEST_TMPDIR/bin"
  printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/bin/answer"
  cat >"$BATS_TEST_TMPDIR/bin/ai-complete" <<'MODEL'
#!/bin/sh
asked=$(cat)
question=$(printf '%s\n' "$asked" | tail -n 1 | jq -r .content)
printf '%s\n' "$question" >"$BATS_TEST_TMPDIR/asked"
printf '%s\n' "$*" >>"$BATS_TEST_TMPDIR/arguments"
said=$(printf '%s\n' "$question" | sh "$BATS_TEST_TMPDIR/bin/answer") || exit 69
case " $* " in
*' --text '*) printf '%s\n' "$said" ;;
*) case " $* " in *' -n '*) ;; *) printf '%s\n' "$asked" ;; esac
   printf '%s\n' "$said" | jq -cRs '{role: "assistant", content: rtrimstr("\n")}' ;;
esac
MODEL
  chmod +x "$BATS_TEST_TMPDIR/bin/ai-complete"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

setup_file() {
  export RECIPES=$BATS_TEST_DIRNAME/../scripts/recipes
}

@test "prepare-commit-msg: drafts the message from the diff, and leaves every other commit alone" {
  repository r
  "$RECIPES/git/install" >/dev/null
  model 'echo "Say two as well"; echo; echo "One was not enough."; printf "\033]0;x\007"'
  echo two >>file
  # Without a model that is named, nothing is sent anywhere, whatever keys are at hand.
  OPENAI_API_KEY=k ANTHROPIC_API_KEY=k GIT_EDITOR='echo by hand >' run git commit -qa
  is 0 "$status"
  [[ $output == *'git config ai.commitModel PROVIDER/MODEL'* ]]
  [ ! -e "$BATS_TEST_TMPDIR/asked" ]
  git reset -q --soft HEAD~
  git config ai.commitModel my/model
  GIT_EDITOR=true git commit -qa
  is $'Say two as well\n\nOne was not enough.\n]0;x' "$(git log -1 --format=%B | sed '/^$/{N;/^\n$/D}')"
  grep -q '^+two' "$BATS_TEST_TMPDIR/asked"
  grep -q -e '-m my/model' "$BATS_TEST_TMPDIR/arguments"
  echo three >>file
  git commit -qam 'my own words'
  is 'my own words' "$(git log -1 --format=%s)"
  model 'exit 1'
  echo four >>file
  GIT_EDITOR='echo by hand >' git commit -qa
  is 'by hand' "$(git log -1 --format=%s)"
}

@test "pre-push: a review tells, or stops the push, and a model that is away stops nothing by itself" {
  git init -q --bare up.git
  repository r
  git remote add origin ../up.git
  "$RECIPES/git/install" . pre-push >/dev/null
  model 'echo "file:1 looks odd"; echo "VERDICT: block"'
  run git push -q origin trunk:unseen
  is 0 "$status"
  [[ $output == *'git config ai.reviewModel PROVIDER/MODEL'* ]]
  AI_REVIEW=block run git push -q origin trunk:blocked
  [ "$status" -ne 0 ]
  [ ! -e "$BATS_TEST_TMPDIR/asked" ]
  git push -q --no-verify origin :unseen
  git fetch -q --prune origin
  export AI_REVIEW_MODEL=my/model
  run git push -q origin trunk
  is 0 "$status"
  [[ $output == *'file:1 looks odd'* ]]
  grep -q '^+one' "$BATS_TEST_TMPDIR/asked"
  echo two >>file
  git commit -qam second
  AI_REVIEW=block run git push -q origin trunk
  [ "$status" -ne 0 ]
  [[ $output == *'stopped by the review'* ]]
  run ! grep -q '^+one' "$BATS_TEST_TMPDIR/asked"
  grep -q '^+two' "$BATS_TEST_TMPDIR/asked"
  model 'echo fine; echo "VERDICT: pass"'
  AI_REVIEW=block git push -q origin trunk
  git push -q origin trunk:other
  git push -q origin :other
  model 'exit 1'
  echo three >>file
  git commit -qam third
  AI_REVIEW=block run git push -q origin trunk
  [ "$status" -ne 0 ]
  run git push -q origin trunk
  is 0 "$status"
  [[ $output == *'pre-push: no review'* ]]
}

@test "install: keeps a hook that was there, and gives it back" {
  repository r
  printf '#!/bin/sh\nexit 3\n' >.git/hooks/pre-push
  chmod +x .git/hooks/pre-push
  run "$RECIPES/git/install" . pre-push
  is 73 "$status"
  "$RECIPES/git/install" --keep . pre-push >/dev/null
  model 'echo "VERDICT: pass"'
  run git push -q "$BATS_TEST_TMPDIR/nowhere" trunk
  [ "$status" -ne 0 ]
  "$RECIPES/git/install" --keep . pre-push >/dev/null
  "$RECIPES/git/install" --remove >/dev/null
  is 'exit 3' "$(tail -n 1 .git/hooks/pre-push)"
  is 'pre-push' "$(ls .git/hooks | grep -v sample)"
  git config core.hooksPath .hooks
  "$RECIPES/git/install" >/dev/null
  [ -x .hooks/pre-push ]
  run "$RECIPES/git/install" "$BATS_TEST_TMPDIR"
  is 65 "$status"
}

@test "nightly: each file is reviewed once per change, several at once, and one that failed is tried again" {
  repository r
  cp -r "$RECIPES/nightly" nightly
  mkdir nightly/src
  echo a >nightly/src/a.c
  echo b >nightly/src/b.c
  model 'grep -o "src/[a-z]*\.c" | tail -n 1 | sed "s/.*/& is fine/"'
  export AI_ASK="$BATS_TEST_TMPDIR/bin/ai-complete -n"
  make -s -j2 -C nightly >/dev/null
  is $'src/a.c is fine\nsrc/b.c is fine' "$(grep fine nightly/report.md)"
  echo b2 >nightly/src/b.c
  rm "$BATS_TEST_TMPDIR/arguments"
  make -s -C nightly >/dev/null
  is 1 "$(wc -l <"$BATS_TEST_TMPDIR/arguments")"
  model 'exit 1'
  echo a2 >nightly/src/a.c
  run make -s -k -C nightly
  [ "$status" -ne 0 ]
  model 'echo better'
  make -s -C nightly >/dev/null
  grep -q better nightly/report.md
}

@test "worktrees: tasks side by side, each on a branch of its own, once" {
  repository r
  # The first answer of a task writes a file, the second ends it.
  cat >"$BATS_TEST_TMPDIR/ask" <<'ASK'
#!/bin/sh
talk=$(cat)
task=$(printf '%s\n' "$talk" | jq -r 'select(.role=="user") | .content | if type == "string" then . else empty end' | head -n 1)
if printf '%s\n' "$talk" | grep -q tool_call_id || [ "$task" = 'do nothing' ]; then echo '{"role":"assistant","content":"done"}'
else jq -cn --arg t "$task" '{role:"assistant",content:null,tool_calls:[{id:"a",type:"function",function:{name:"Write",arguments:({file_path:"new",content:$t}|tojson)}}]}'
fi
ASK
  chmod +x "$BATS_TEST_TMPDIR/ask"
  echo '{"permissions":{"allow":["Write"]}}' >"$BATS_TEST_TMPDIR/rules.json"
  export AI_ASK=$BATS_TEST_TMPDIR/ask AI_RULES=$BATS_TEST_TMPDIR/rules.json
  printf '%s\n' 'write one' '# a note' '' 'write two' 'do nothing' | "$RECIPES/worktrees" -j 3 >out 2>err || { cat out err; false; }
  is 2 "$(git branch --list 'ai/*' | wc -l)"
  for branch in $(git branch --list 'ai/*' --format='%(refname:short)'); do git show "$branch:new"; echo; done | sort -u | grep -c write
  grep -q '^no changes: do nothing' out
  is '' "$(git status --porcelain -uno)"
  printf '%s\n' 'write one' 'write two' 'do nothing' | "$RECIPES/worktrees" | grep -c 'done before'
}

# A session of Claude Code in a file.
session() {
  local line='"cwd":"/w","sessionId":"5e55-10","version":"2.1.0","timestamp":"2026-01-01T00:00:00Z"'
  printf '%s\n' \
    "{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":null,$line,\"message\":{\"role\":\"user\",\"content\":\"Mend the lamp in room 12.\"}}" \
    "{\"type\":\"assistant\",\"uuid\":\"b\",\"parentUuid\":\"a\",$line,\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4-5\",\"content\":[{\"type\":\"text\",\"text\":\"It glows again.\"}]}}"
}

@test "Claude Code, PreCompact: the transcript is kept whole and private, the recap is printed, and restore gives it back" {
  mkdir projects
  session >projects/s.jsonl
  event() { jq -cn --arg t "$PWD/projects/s.jsonl" --arg s "$1" '{session_id: $s, transcript_path: $t, hook_event_name: "PreCompact", trigger: "auto"}'; }
  event 5e55-10 | "$RECIPES/claude-code/pre-compact" >recap
  grep -q 'room 12' recap
  grep -q 'It glows again' recap
  kept=$(ls "$HOME"/.local/state/ai/kept/5e55-10-*.jsonl)
  cmp projects/s.jsonl "$kept"
  is 600 "$(stat -c %a "$kept")"
  # The same through ai-hook, as its settings say.
  (umask 022 && sed "s#/path/to/scripts/recipes#$RECIPES#" "$RECIPES/claude-code/settings.json" >settings.json)
  AI_CONV=projects/s.jsonl run --separate-stderr ai-hook PreCompact -H settings.json
  is 0 "$status"
  [[ $output == *'room 12'* ]]
  # A hostile id is no path, and a transcript that is gone is no block.
  event ../../evil | "$RECIPES/claude-code/pre-compact" >/dev/null
  [ ! -e "$HOME/.local/evil" ]
  run bash -c 'echo "{\"session_id\":\"x\",\"transcript_path\":\"missing\"}" | "$RECIPES/claude-code/pre-compact"'
  is 1 "$status"
  : >projects/s.jsonl
  "$RECIPES/claude-code/restore" | grep -q '^5e55-10-.*2 lines'
  is "$PWD/projects/s.jsonl" "$("$RECIPES/claude-code/restore" 5e55)"
  cmp projects/s.jsonl "$kept"
  run "$RECIPES/claude-code/restore" ../x
  is 64 "$status"
  run "$RECIPES/claude-code/restore" nobody
  is 65 "$status"
}

@test "fan-out: one answer a file, in their order, several at once; what failed is asked again" {
  for n in 1 2 3 4 5 6; do echo "text $n" >"note $n.txt"; done
  model 'grep -q "text 4" && [ -e "$BATS_TEST_TMPDIR/broken" ] && exit 1; echo "an answer"'
  touch "$BATS_TEST_TMPDIR/broken"
  run --separate-stderr "$RECIPES/fan-out" -j 1 'Sum up' note*.txt
  is 1 "$status"
  is 5 "${#lines[@]}"
  [[ $stderr == *'note 4.txt: no answer'* ]]
  rm "$BATS_TEST_TMPDIR/broken" "$BATS_TEST_TMPDIR/arguments"
  run --separate-stderr "$RECIPES/fan-out" -j 3 'Sum up' note*.txt
  is 0 "$status"
  is 1 "$(wc -l <"$BATS_TEST_TMPDIR/arguments")"
  is "$(printf 'note %s.txt\n' 1 2 3 4 5 6)" "$(jq -r .file <<<"$output")"
  # Another program of this name is in moreutils.
  parallel --version 2>/dev/null | grep -q GNU || skip 'GNU parallel is not installed: the same with -p was not tried'
  AI_FAN_OUT=other run --separate-stderr "$RECIPES/fan-out" -p 'Sum up' note*.txt
  is "$(printf 'note %s.txt\n' 1 2 3 4 5 6)" "$(jq -r .file <<<"$output")"
}

@test "knowledge: facts of a folder of notes, of changed notes again, of those that are gone no more" {
  mkdir -p notes/deep
  echo 'The lamp is red.' >notes/a.md
  echo 'The door is green.' >notes/deep/b.txt
  cat >"$BATS_TEST_TMPDIR/reader" <<'READER'
#!/bin/sh
while IFS= read -r line; do
    echo x >>"$BATS_TEST_TMPDIR/count"
    printf '%s\n' "$line" | jq -c '.messages += [{role: "assistant", content: ("Here it is:\n```json\n" + ([{fact: (.messages[-1].content | split("\n\n")[-1] | rtrimstr("\n")), topics: ["colours"]}] | tojson) + "\n```")}]'
done
READER
  mkdir bin
  mv "$BATS_TEST_TMPDIR/reader" bin/ai-complete
  chmod +x bin/ai-complete
  PATH=$PWD/bin:$PATH
  "$RECIPES/knowledge" notes out
  is $'The door is green.\nThe lamp is red.' "$(jq -r .fact out/facts.jsonl)"
  grep -q '^- The lamp is red. (notes/a.md)' out/index.md
  "$RECIPES/knowledge" notes out
  is 2 "$(wc -l <"$BATS_TEST_TMPDIR/count")"
  echo 'The lamp is blue.' >notes/a.md
  rm notes/deep/b.txt
  "$RECIPES/knowledge" notes out
  is 'The lamp is blue.' "$(jq -r .fact out/facts.jsonl)"
  is 3 "$(wc -l <"$BATS_TEST_TMPDIR/count")"
}

# What Spark's RDD.pipe and Hadoop's streaming do with a program: one process a partition, in any directory, with little environment; lines in, lines
# out; its status counts.
partition() { # COMMAND
  (cd / && env -i PATH="$PATH" HOME="$HOME" sh -c "exec $1")
}

@test "ai-transform under the contract of Spark's and Hadoop's pipes" {
  for n in $(seq 40); do
    echo "{\"model\":\"m\",\"id\":$n,\"messages\":[{\"role\":\"user\",\"content\":\"question $n\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c$n\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c$n\",\"content\":\"$n\"}]}"
  done >data.jsonl
  command=$(sed -n 's/.*pipe(f"\([^"]*\)".*/\1/p' "$RECIPES/spark/convert.py" | sed 's/{dialect}/anthropic/')
  is 'ai-transform --quiet --to anthropic' "$command"
  ai-transform --quiet --to anthropic <data.jsonl >whole.jsonl
  split -n l/7 data.jsonl part.
  for part in part.*; do partition "$command" <"$part" || exit; done >parts.jsonl
  cmp whole.jsonl parts.jsonl
  is 40 "$(wc -l <parts.jsonl)"
  # A partition without lines, a last line without an end, the tab that Hadoop puts behind a key.
  is '' "$(partition "$command" </dev/null)"
  is "$(head -n 1 whole.jsonl)" "$(head -n 1 data.jsonl | tr -d '\n' | partition "$command")"
  is "$(head -n 1 whole.jsonl)" "$(head -n 1 data.jsonl | sed 's/$/\t/' | partition "$command")"
  # A line that is broken fails the task.
  run bash -c "echo '{\"messages\":[' | $command"
  is 65 "$status"
  # A reader that needs no more is no failure.
  cat data.jsonl data.jsonl data.jsonl | partition "$command" | head -n 1 >/dev/null
  is '0 0' "${PIPESTATUS[1]} ${PIPESTATUS[2]}"
}

@test "GitHub: the job is YAML with nothing that it should not have, and its script reviews a pull request" {
  node -e '
    const { parse } = require(process.argv[1] + "/node_modules/yaml");
    const { on, permissions, jobs } = parse(require("fs").readFileSync(process.argv[2], "utf8"));
    if (!("pull_request" in on) || "pull_request_target" in on) throw new Error("on");
    if (JSON.stringify(permissions) !== JSON.stringify({ contents: "read" })) throw new Error("permissions");
    const { run, env } = jobs.review.steps.at(-1);
    if (/\$\{\{/.test(run)) throw new Error("an expression in a script");
    if (!env.ANTHROPIC_API_KEY) throw new Error("key");
    console.log(run);
  ' "$ROOT" "$RECIPES/github/review.yml" >script
  repository r
  base=$(git rev-parse HEAD)
  echo two >>file
  git commit -qam second
  model 'echo "file:2 looks odd"; echo "VERDICT: block"'
  BASE=$base HEAD=$(git rev-parse HEAD) MODEL=m GITHUB_STEP_SUMMARY=$PWD/summary run bash ../script
  is 1 "$status"
  grep -q 'file:2 looks odd' summary
  grep -q '1 turn' summary
  grep -q '^+two' "$BATS_TEST_TMPDIR/asked"
  model 'echo fine; echo "VERDICT: pass"'
  BASE=$base HEAD=$(git rev-parse HEAD) MODEL=m GITHUB_STEP_SUMMARY=$PWD/summary bash ../script
}

@test "automations: files, times and git's events each run their command, one run at a time" {
  repository r
  mkdir notes
  cat >automations.yaml <<'YAML'
automations:
  - name: files
    on: { files: ['notes/**/*.md'], ignore: ['**/draft*'] }
    run: jq -c '[.on, .paths]' >>log; sleep 1
  - name: times
    on: { cron: '* * * * * *' }
    run: echo tick >>ticks
  - name: git
    on: { git: commit }
    run: jq -c '[.on, .action]' >>log
  - { name: off-files, enabled: false, on: { files: ['**'] }, run: touch ran-files }
  - { name: off-times, enabled: false, on: { cron: '* * * * * *' }, run: touch ran-times }
  - { name: off-git, enabled: false, on: { git: [commit] }, run: touch ran-git }
YAML
  "$ROOT/scripts/watch" automations.yaml >out 2>err &
  watcher=$!
  for _ in $(seq 100); do [ "$(grep -c watching out)" = 3 ] && break || sleep 0.2; done
  echo a >notes/a.md
  echo b >notes/draft.md
  echo c >other.md
  for _ in $(seq 50); do grep -q a.md log 2>/dev/null && break || sleep 0.1; done
  echo d >notes/d.md
  sleep 0.4
  echo e >notes/e.md
  for _ in $(seq 80); do grep -q e.md log && break || sleep 0.1; done
  git add -A
  git commit -qm second
  for _ in $(seq 80); do grep -q commit log && break || sleep 0.1; done
  kill "$watcher"
  wait "$watcher" || true
  grep -q '^\["files",\["notes/a.md"\]\]$' log
  grep -q '"notes/e.md"' log
  grep -q '^\["git","commit"\]$' log
  run ! grep -q 'draft\|other' log
  [ -s ticks ]
  [ ! -e ran-files ] && [ ! -e ran-times ] && [ ! -e ran-git ]
  is 3 "$(jq -c 'select(.type == "disabled")' out | wc -l)"
  jq -es 'map(select(.type == "ran" and .by == null)) | length > 2 and all(.[]; .status == 0)' out
  chmod g+w automations.yaml
  run "$ROOT/scripts/watch" --check automations.yaml
  is 78 "$status"
  cp "$RECIPES/automations.yaml" mine.yaml
  chmod 644 mine.yaml
  "$ROOT/scripts/watch" --check mine.yaml
}

@test "automations: what is not known is an error with the name that was meant" {
  refuses() {
    printf 'automations:\n  - %s\n' "$1" >a.yaml
    chmod 644 a.yaml
    run "$ROOT/scripts/watch" --check a.yaml
    is 78 "$status"
    [[ $output == *"$2"* ]] || { echo "$output"; false; }
  }
  refuses '{ enabeld: false, on: { cron: "* * * * *" }, run: "true" }' 'automations[0].enabeld: no such setting (did you mean "enabled"?)'
  refuses '{ disabled: true, on: { cron: "* * * * *" }, run: "true" }' 'there are name, enabled, on, run, timeout'
  refuses '{ enabled: "no", on: { cron: "* * * * *" }, run: "true" }' 'automations[0].enabled: expected a boolean'
  refuses '{ on: { file: "*.md" }, run: "true" }' 'automations[0].on.file: no such setting (did you mean "files"?)'
  refuses '{ on: { cron: "61 * * * *" }, run: "true" }' 'cannot understand the time'
  refuses '{ on: { cron: "* * * * *", timezone: Mars/Base }, run: "true" }' 'cannot understand the time'
  refuses '{ on: { git: comit }, run: "true" }' 'automations[0].on.git: expected'
  refuses '{ on: { git: commit, ignore: x }, run: "true" }' '"ignore"'
  refuses '{ on: { git: commit }, run: "true", timeout: soon }' 'automations[0].timeout: expected a number'
  refuses '{ on: { git: commit } }' 'automations[0].run: expected'
  refuses '{ on: {}, run: "true" }' '"on" is one of'
  printf 'automation: []\n' >a.yaml
  run "$ROOT/scripts/watch" --check a.yaml
  is 78 "$status"
  [[ $output == *'did you mean "automations"?'* ]]
}
