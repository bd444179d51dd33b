// What ai-permit says of itself.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Adds a decision to each call that ai-pending wrote: "decision" (allow or deny), "reason", "by" (the rule, or the user), and "digest", which binds
    the decision to the name and the arguments of the call: ai-exec runs nothing that was changed afterwards.

    Rules are those of Claude Code's settings, {"permissions":{"deny":[…],"ask":[…],"allow":[…]}}, as JSON or YAML, from --policy or from the files
    that AI_RULES names (separated by colons), and from nowhere else. "builtin" are the rules that come along: the tools that only read below the working directory run, about the
    rest a person is asked. Deny comes before ask, and ask before allow: Bash(npm run test:*), Read(./.env),
    Edit(/src/**), WebFetch(domain:example.com), mcp__server__tool, Task(reviewer), or a tool's name alone. Read and Edit speak of every tool that reads
    or edits files, by gitignore patterns: //absolute, ~/home, /beside-the-rules, and the rest in the working directory; links are followed.

    A Bash rule allows a command only if every command in it is allowed and nothing else is in it: substitutions, redirections, here-documents,
    expansions other than $x and \${x}, and what cannot be parsed are asked about. A wildcard takes in no word that lets the program run another one,
    write a file or evaluate a text (sort -o, git -c, tar -I, npm --script-shell, sed e, awk system): of programs that have such options it takes in
    those that are known to be harmless, and a rule must name the others: Bash(sort -o out.txt *). It takes in nothing of shells' scripts, editors,
    database shells, test -v, read, declare and their like. What a named program does on its own (a script of package.json, a Makefile, settings of a
    repository) is the program's. A Bash rule that denies is looked for in every part, behind env, xargs, sh -c, git -C and their like. Rules
    about text are a convenience all the same; the boundary is the box that ai-exec runs in.

    About what no rule speaks of, a person is asked on the terminal, with a diff for edits; what was typed before the question is no answer to it; a call that is put off is not written, and stays open
    in the conversation. Where nobody can be asked, the call is denied, or with --on-ask stop put off in the same way. A call that a stopped run had begun is denied
    too, since what it did is not known.

    An earlier stage may deny, or ask for a person, by the same fields; its permission counts only with --hooks, and never against a rule.`;

export const OPTIONS = {
  policy: { type: 'list', short: 'p', arg: 'FILE', summary: 'rules; else the files that AI_RULES names' },
  'on-ask': {
    type: 'string',
    short: 'o',
    arg: 'WHAT',
    choices: ['deny', 'stop'],
    default: 'deny',
    summary: 'what to do where a person must be asked and cannot',
  },
  deny: { type: 'string', arg: 'WHY', summary: 'deny every call, and tell the model why' },
  hooks: { type: 'boolean', summary: "an earlier stage's permission stands where no rule speaks of the call" },
  rerun: { type: 'boolean', summary: 'calls that had started may run again, as the rules say' },
  'ask-tainted': {
    type: 'boolean',
    summary: 'ask for what the rules allow once text from the network is in the conversation',
  },
} as const satisfies Options;
