// The help of ai-permit and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Adds a decision to each call that ai-pending wrote: "decision" (allow or deny), "reason", "by" (the rule, or the
    user) and "digest". The digest binds the decision to the name and the arguments of the call: ai-exec does not run a
    call that was changed afterwards.

    Rules have the syntax of Claude Code's settings, {"permissions":{"deny":[…],"ask":[…],"allow":[…]}}, as JSON or
    YAML. They are read only from --policy or the files in AI_RULES (separated by colons). "builtin" names the built-in
    rules: tools that only read below the working directory are allowed, all others are asked about. Deny rules are
    checked first, then ask, then allow.

    A rule is a tool name, or a tool name with a pattern: Bash(npm run test:*), Read(./.env), Edit(/src/**),
    WebFetch(domain:example.com), mcp__server__tool, Task(reviewer). Read and Edit rules apply to every tool that reads
    or edits files. Their patterns are gitignore patterns: //absolute, ~/home, /relative-to-the-rules-file, and others
    relative to the working directory; symbolic links are resolved.

    A Bash rule allows a command line only if it allows every command in it. Substitutions, redirections,
    here-documents, expansions other than $x and \${x}, and anything that cannot be parsed are asked about. A wildcard
    does not match words that let a program run another program, write a file or evaluate code (sort -o, git -c, tar
    -I, npm --script-shell, sed e, awk system): for programs with such options it matches only options that are known
    to be harmless, and a rule must spell out the others: Bash(sort -o out.txt *). A wildcard also matches nothing for
    shell scripts, editors, database shells, test -v, read, declare and the like. What an allowed program runs on its
    own (a script in package.json, a Makefile, repository settings) is not checked. A Bash deny rule also matches
    inside env, xargs, sh -c, git -C and the like. Rules about command text are a convenience; the security boundary is
    the sandbox that ai-exec runs in.

    For a call that no rule matches, a person is asked on the terminal, with a diff for edits. Text that was typed
    before the question appeared does not count as an answer. A deferred call is not written, and stays open in the
    conversation. Without a terminal the call is denied, or deferred with --on-ask stop. A call that an interrupted run
    had started is denied, because it is unknown what it did.

    An earlier stage of the pipe may set the same fields to deny a call or to ask for a person. Its "allow" counts only
    with --hooks, and never overrides a rule.`;

export const OPTIONS = {
  policy: { type: 'list', short: 'p', arg: 'FILE', summary: 'read rules from FILE (default: the files in AI_RULES)' },
  'on-ask': {
    type: 'string',
    short: 'o',
    arg: 'WHAT',
    choices: ['deny', 'stop'],
    default: 'deny',
    summary: 'what to do if a person must be asked and there is no terminal; stop defers the call',
  },
  deny: { type: 'string', arg: 'WHY', summary: 'deny every call, with this reason for the model' },
  hooks: { type: 'boolean', summary: 'accept the permission of an earlier stage for calls that no rule matches' },
  rerun: { type: 'boolean', summary: 'decide calls that had already started by the rules, so that they may run again' },
  'ask-tainted': {
    type: 'boolean',
    summary: 'once text from the network is in the conversation, also ask about calls that the rules allow',
  },
} as const satisfies Options;
