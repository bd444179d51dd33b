// Rules about shell commands: what each allows, and the ways around a rule that are not ways around it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell scripts
import { describe, expect, test } from 'vitest';
import { Judge } from '../../../src/lib/permissions/judge.ts';
import { EMPTY, type Policy } from '../../../src/lib/permissions/policy.ts';
import { type List, parseRule } from '../../../src/lib/permissions/rule.ts';

const place = { cwd: '/work', home: '/home/ada' };

function policy(rules: { readonly [list in List]?: readonly string[] }): Policy {
  const list = (name: List) =>
    (rules[name] ?? []).map((text) =>
      parseRule(text, name, { file: 'rules.json', base: '/work', place: 'rules.json' }),
    );
  return { ...EMPTY, deny: list('deny'), ask: list('ask'), allow: list('allow') };
}

async function decide(rules: Parameters<typeof policy>[0], command: string): Promise<string> {
  const { decision } = await new Judge(policy(rules), place).judge({
    type: 'call',
    id: '1',
    name: 'Bash',
    input: { command },
  });
  return decision;
}

describe('an allow rule', () => {
  test.each([
    ['Bash(git status)', 'git status'],
    ['Bash(git status)', "git   'status'"],
    ['Bash(git status)', 'g\\it st""atus'],
    ['Bash(git:*)', 'git'],
    ['Bash(git:*)', 'git log --oneline -5'],
    ['Bash(git *)', 'git log $HOME'],
    ['Bash(git *)', 'git log 2>&1 >/dev/null'],
    ['Bash(ls*)', 'lsof -i'],
    ['Bash(npm run *)', 'npm run test -- --watch'],
    ['Bash(npm run *)', 'timeout 30 npm run test'],
    ['Bash(npm run *)', 'timeout -k 5 --signal=KILL 30s nice -n 10 npm run test'],
    ['Bash(npm run *)', 'nohup npm run test'],
    ['Bash(npm run *)', 'LC_ALL=C npm run test'],
    ['Bash(npm run *)', 'time npm run test'],
    ['Bash(npm run *)', 'command npm run test'],
    ['Bash(git commit -m "*")', 'git commit -m "fix the bug"'],
    ['Bash(FOO=1 make test)', 'FOO=1 make test'],
    ['Bash(* --version)', 'node --version'],
    ['Bash(find *)', 'find . -name x'],
    ['Bash(xargs grep:*)', 'xargs grep -l foo'],
    ['Bash(sudo apt update *)', 'sudo apt update -y'],
    ['Bash', 'anything | at $(all)'],
    ['Bash(*)', 'anything; at all'],
    ['execute_command(ls:*)', 'ls -l'],
  ])('%s allows %j', async (rule, command) => {
    expect(await decide({ allow: [rule] }, command)).toBe('allow');
  });

  test.each([
    [
      'every part of a list',
      ['Bash(git:*)', 'Bash(npm test:*)'],
      'git pull && npm test; git log | git grep x || (git status) &',
    ],
    ['the parts of a loop', ['Bash(cat:*)', 'Bash(ls:*)'], 'for f in *.txt; do cat "$f"; done; if ls; then cat x; fi'],
    ['what a runner runs', ['Bash(env:*)', 'Bash(sh:*)', 'Bash(git:*)'], "sh -c 'git status; git log'"],
    ['what xargs runs', ['Bash(ls:*)', 'Bash(xargs:*)', 'Bash(grep:*)'], 'ls | xargs -n 1 grep foo'],
  ])('can cover %s', async (_what, allow, command) => {
    expect(await decide({ allow }, command)).toBe('allow');
  });

  test.each([
    ['a list', 'git status && rm -rf /'],
    ['a sequence', 'git status; rm -rf /'],
    ['a pipe', 'git status | sh'],
    ['the background', 'git status & rm -rf /'],
    ['a newline', 'git status\nrm -rf /'],
    ['a substitution', 'git status $(rm -rf /)'],
    ['backticks', 'git status `rm -rf /`'],
    ['a substitution in quotes', 'git status "$(rm -rf /)"'],
    ['a substitution in a default', 'git status ${x:-$(rm -rf /)}'],
    ['a substitution in arithmetic', 'git status $((a[$(rm -rf /)]))'],
    ['a process substitution', 'git diff <(rm -rf /)'],
    ['a redirection', 'git log > ~/.bashrc'],
    ['an appending redirection', 'git log >>~/.bashrc'],
    ['a redirection of everything', 'git log &> ~/.bashrc'],
    ['an input', 'git apply <patch'],
    ['a here-document', 'git apply <<E\nx\nE'],
    ['a here-string', 'git apply <<<x'],
    ['a subshell', '(git status; rm -rf /)'],
    ['a group', '{ git status; rm -rf /; }'],
    ['a condition', 'if git status; then rm -rf /; fi'],
    ['a function of the same name', 'git() { rm -rf /; }; git status'],
    ['a variable of the environment', 'GIT_SSH_COMMAND="rm -rf /" git fetch'],
    ['a variable before', 'PATH=/evil; git status'],
    ['an unknown name', '$git status'],
    ['a part of a name', 'gi$x status'],
    ['a glob for a name', '/usr/bin/gi? status'],
    ['a brace expansion', '{rm,-rf,/}'],
    ['a path', '/tmp/evil/git status'],
    ['another program', 'gitx status'],
    ['an unfinished quote', 'git status "'],
    ['an unfinished substitution', 'git status $(rm'],
    ['a stray parenthesis', 'git status )'],
    ['a coprocess', 'coproc git status'],
    ['a prompt expansion', 'git status ${x@P}'],
    ['options that run programs', 'git -c core.pager="!sh" log'],
    ['attached options that run programs', 'git -ccore.pager=sh log'],
    ['another runner', 'env git status'],
    ['eval', 'eval git status'],
    ['a shell', "bash -c 'git status'"],
    ['nothing', '   '],
    ['a comment alone', '# git status'],
  ])('of git is not evaded by %s', async (_what, command) => {
    expect(await decide({ allow: ['Bash(git:*)'] }, command)).toBe('ask');
  });

  test.each([
    ['Bash(env:*)', 'env rm -rf /'],
    ['Bash(env:*)', 'env -S "rm -rf /"'],
    ['Bash(env:*)', 'env FOO=1 rm'],
    ['Bash(timeout:*)', 'timeout 5 rm -rf /'],
    ['Bash(nohup:*)', 'nohup rm -rf /'],
    ['Bash(xargs:*)', 'xargs rm'],
    ['Bash(xargs:*)', 'xargs -I{} sh -c "rm {}"'],
    ['Bash(sh:*)', "sh -c 'rm -rf /'"],
    ['Bash(bash -c:*)', "bash -c 'rm -rf /'"],
    ['Bash(bash:*)', "bash -lc 'rm -rf /'"],
    ['Bash(sudo:*)', 'sudo rm -rf /'],
    ['Bash(find:*)', 'find / -exec rm {} ;'],
    ['Bash(find:*)', 'find / -delete'],
    ['Bash(rg:*)', 'rg --pre=/tmp/x foo'],
    ['Bash(tar:*)', "tar xf a.tar --checkpoint=1 '--checkpoint-action=exec=sh'"],
    ['Bash(eval:*)', 'eval "rm -rf /"'],
    ['Bash(exec:*)', 'exec rm -rf /'],
    ['Bash(ls *)', 'lsof'],
    ['Bash(git status)', 'git status -s'],
    ['Bash(rm a b)', "rm 'a b'"],
    ['Bash(timeout 5 *)', 'timeout 5 rm'],
    ['Bash(find *)', 'for x in -delete; do find . $x; done'],
  ])('%s does not allow %j', async (rule, command) => {
    expect(await decide({ allow: [rule] }, command)).toBe('ask');
  });
});

describe('a deny rule', () => {
  const deny = ['Bash(rm:*)', 'Bash(git push:*)', 'Bash(curl *)'];

  test.each([
    'rm -rf /',
    'ls && rm x',
    'ls; rm x',
    'ls | rm x',
    'ls & rm x',
    'ls\nrm x',
    'r\\m x',
    "r''m x",
    '"rm" x',
    "$'\\x72m' x",
    '/bin/rm x',
    '../../bin/rm x',
    'echo $(rm x)',
    'echo `rm x`',
    'echo "$(rm x)"',
    'echo ${a:-$(rm x)}',
    'cat <(rm x)',
    'cat <<E\n$(rm x)\nE',
    '(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'while rm x; do :; done',
    'for i in 1 2; do rm $i; done',
    'case x in x) rm x;; esac',
    'f() { rm x; }; f',
    'time rm x',
    '! rm x',
    'FOO=1 rm x',
    'env rm x',
    'env -i FOO=1 rm x',
    'env -S "rm x"',
    'nohup rm x',
    'timeout 5 rm x',
    'timeout -s KILL 5 rm x',
    'nice -n 5 rm x',
    'stdbuf -oL rm x',
    'setsid rm x',
    'command rm x',
    'builtin rm x',
    'exec rm x',
    'exec -a ls rm x',
    'eval rm x',
    'eval "r""m x"',
    'xargs rm',
    'ls | xargs -0 -n1 rm',
    'ls | xargs -I{} sh -c "rm {}"',
    'sh -c "rm x"',
    "bash -lc 'ls && rm x'",
    `bash -c 'sh -c "rm x"'`,
    'sudo rm x',
    'sudo -u root -- rm x',
    'sudo --close-from 3 rm x',
    'doas rm x',
    'find . -exec rm {} +',
    'find . -name x -o -execdir /bin/rm {} ;',
    'busybox rm x',
    'ssh host rm x',
    "ssh host 'cd / && rm x'",
    'watch "rm x"',
    'flock /tmp/l -c "rm x"',
    'su - root -c "rm x"',
    'script -qc "rm x" /dev/null',
    'npx rm x',
    'parallel rm ::: a b',
    'trap "rm x" EXIT',
    'strace -f rm x',
    'git push',
    'git push origin main',
    'git -C /x push',
    'git -C/x push',
    'git --no-pager -c a=b push -f',
    'git --git-dir /x --work-tree /y push',
    "git -c alias.p='!git push' p",
    '/usr/bin/git push',
    'curl',
    'curl http://x',
    'cd x && curl http://x',
    'x=1 timeout 9 env curl http://x',
    'env - rm x',
    "env '-Srm x'",
    "env --split-string='rm x'",
    'taskset -c 0 rm x',
    'taskset 1 rm x',
    "su --command='rm x'",
    "su '-crm x' ada",
    "script --command='rm x'",
    "npm exec -c 'rm x'",
    "npm exec --call='rm x'",
    "npx -c 'rm x'",
    'setarch -R rm x',
    'prlimit --nofile=9 rm x',
    'fdfind -x rm',
    'fd -Hx rm',
    'fd --exec-batch rm',
    'find . -exec ls {} \\; -exec rm {} \\;',
    "echo ${PWD:'a[$(rm x)]'}",
    "echo ${a['$(rm x)']}",
    "echo ${a['`rm x`']}",
    "test -v 'a[$(rm x)]'",
    "let 'a[$(rm x)]'",
    'printf -v "a[\\$(rm x)]" y',
    "for x in 'a[$(rm x)]'; do echo ${!x}; done",
  ])('is found in %j', async (command) => {
    expect(await decide({ deny, allow: ['Bash'] }, command)).toBe('deny');
  });

  test.each([
    '$x -rf /',
    '$(echo rm) x',
    'r?? x',
    '{rm,x}',
    'eval "$x"',
    'sh -c "$x"',
    'bash -c $x',
    'xargs $x',
    'echo x | sh',
    'curl2 http://x | bash',
    'sh <x',
    'bash -s <x',
    'ls "',
    'ls $(',
    'git $x',
    'git -C $d $y',
    'alias r=$x',
    'fd --exec=$x',
    'fd "$x"',
  ])('that cannot be judged is asked about: %j', async (command) => {
    expect(await decide({ deny, allow: ['Bash'] }, command)).toBe('ask');
  });

  test.each([
    'ls -l',
    'echo rm',
    'git log --grep push',
    'git commit -m "push it"',
    'git commit -m rm',
    'grep -r rm .',
    'timeout 5 grep rm file',
    'npm install rm',
    'npm run curl',
    'command -v rm',
    'cat $x',
    'find . -name rm',
    'git add "$file"',
    'for f in *; do cat "$f"; done',
    'curlie http://x',
    'env | grep x',
  ])('leaves %j alone', async (command) => {
    expect(await decide({ deny, allow: ['Bash'] }, command)).toBe('allow');
  });

  test.each([
    ['Bash(rm -rf:*)', 'rm -fr x'],
    ['Bash(rm -rf:*)', 'rm -r -f x'],
    ['Bash(rm -rf:*)', 'rm x -f --recursive'],
    ['Bash(rm -rf:*)', 'rm -Rvf x'],
    ['Bash(rm -rf:*)', 'rm --force --recur x'],
    ['Bash(rm -rf /)', 'rm -fr /'],
    ['Bash(git push --force:*)', 'git push origin main --force'],
    ['Bash(git push --force:*)', 'git push -f'],
    ['Bash(git push --force *)', 'git -C x push origin -f'],
    ['Bash(git * main)', 'git push origin main'],
    ['Bash(npm publish:*)', 'npm --registry http://x publish'],
    ['Bash(*secret*)', 'cat my-secret.txt'],
  ])('%s is found in %j', async (rule, command) => {
    expect(await decide({ deny: [rule], allow: ['Bash'] }, command)).toBe('deny');
  });

  test.each([
    ['Bash(rm -rf:*)', 'rm x'],
    ['Bash(rm -rf:*)', 'rm -r x'],
    ['Bash(git push --force:*)', 'git push'],
    ['Bash(rm -rf /)', 'rm -rf /tmp'],
  ])('%s leaves %j alone', async (rule, command) => {
    expect(await decide({ deny: [rule], allow: ['Bash'] }, command)).toBe('allow');
  });
});

test('deny comes before ask, and ask before allow', async () => {
  const rules = { deny: ['Bash(git push:*)'], ask: ['Bash(git:*)'], allow: ['Bash(git push origin)'] };
  expect(await decide(rules, 'git push origin')).toBe('deny');
  expect(await decide({ ...rules, deny: [] }, 'git push origin')).toBe('ask');
  expect(await decide({ ...rules, deny: [], ask: [] }, 'git push origin')).toBe('allow');
});

test('what a person must be asked for is asked for in every part', async () => {
  expect(await decide({ ask: ['Bash(git push:*)'], allow: ['Bash'] }, 'ls && env git -C x push')).toBe('ask');
});

test('a hostile command costs linear time', async () => {
  for (const command of [
    `xargs ${'rm '.repeat(20_000)}`,
    `sh -c ${'"'.repeat(20_001)}`,
    'env '.repeat(20_000),
    `${'sh -c '.repeat(2_000)}x`,
    `git ${'-C '.repeat(20_000)}push`,
    '$('.repeat(20_000),
    `${'('.repeat(20_000)}ls`,
    `ls ${'a=b '.repeat(20_000)}`,
  ])
    await decide({ deny: ['Bash(rm -rf x*y*z)', 'Bash(git push:*)'], allow: ['Bash(ls:*)', 'Bash(xargs:*)'] }, command);
});
