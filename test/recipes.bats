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

# Puts a model in the place of ai-complete: a shell script that gets the conversation and prints the text of its answer.
model() {
  mkdir -p "$BATS_TEST_TMPDIR/bin"
  printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/bin/answer"
  cat >"$BATS_TEST_TMPDIR/bin/ai-complete" <<'MODEL'
#!/bin/sh
asked=$(cat)
printf '%s\n' "$asked" | tail -n 1 | jq -r .content >"$BATS_TEST_TMPDIR/asked"
printf '%s\n' "$*" >>"$BATS_TEST_TMPDIR/arguments"
said=$(sh "$BATS_TEST_TMPDIR/bin/answer") || exit 69
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
  GIT_EDITOR=true git commit -qa
  is $'Say two as well\n\nOne was not enough.\n]0;x' "$(git log -1 --format=%B | sed '/^$/{N;/^\n$/D}')"
  grep -q '^+two' "$BATS_TEST_TMPDIR/asked"
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
  model 'grep -o "src/[a-z]*\.c" "$BATS_TEST_TMPDIR/asked" | tail -n 1 | sed "s/.*/& is fine/"'
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
