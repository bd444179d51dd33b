// A shell script as the simple commands that it may run. The only file that knows the parser, which is loaded when a shell rule is judged.
import type { Assignment, Command, CommandArgument, Redirect, SyntaxNode } from 'unbash';
import { plainWord, readWord, type ShellWord } from './words.ts';

export interface SimpleCommand {
  /** The name and the arguments; none for a command of assignments alone. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the name. */
  readonly assignments: readonly { readonly name: string; readonly text: string; readonly value: string | undefined }[];
  /** The whole of it as it was written, redirections left out. */
  readonly text: string;
}

export interface Script {
  readonly commands: readonly SimpleCommand[];
  /** Files that it reads from or writes to by redirection. */
  readonly targets: readonly { readonly word: ShellWord; readonly writes: boolean }[];
  /** Why nobody can vouch for it by looking at its commands. */
  readonly doubts: readonly string[];
  /** Quoted texts that would run something if bash evaluated them. */
  readonly texts: readonly string[];
  /** It could not be read: there may be commands in it that are not listed. */
  readonly unread: boolean;
}

export type ReadScript = (source: string) => Script;

/** Longer scripts are not looked into. */
const LONGEST = 200_000;

/** Loads the parser. The function that it gives never throws: what it cannot read is `unread`. */
export async function shellReader(): Promise<ReadScript> {
  const { parse, forEachChild } = await import('unbash');
  return (source) => {
    if (source.length > LONGEST) return nothing('it is too long to be checked');
    try {
      const found = new Finder(source, forEachChild);
      found.visit(parse(source));
      return found;
    } catch {
      return nothing('it cannot be parsed');
    }
  };
}

const nothing = (doubt: string): Script => ({ commands: [], targets: [], texts: [], doubts: [doubt], unread: true });

/** The nodes that rules vouch for. Whatever else the parser knows, or will know, asks. */
const PLAIN = new Set(
  `Script Statement Command Pipeline AndOr Subshell BraceGroup CompoundList If Elif For While Case CaseItem Time Negation Word Literal Glob
  SingleQuoted DoubleQuoted AnsiCQuoted SimpleExpansion ParameterExpansion BraceExpansion Assignment Redirect FileDescriptor`.split(
    /\s+/,
  ),
);

/** What then stands in a reason. */
const DOUBTS: { readonly [type: string]: string } = {
  CommandExpansion: 'it has a command substitution',
  ProcessSubstitution: 'it has a process substitution',
  ArithmeticCommandExpansion: 'it has a command substitution',
  ArithmeticExpansion: 'it has an arithmetic expansion',
  ArithmeticCommand: 'it has an arithmetic command',
  ArithmeticFor: 'it has an arithmetic command',
  TestCommand: 'it has a [[ test ]]',
  HereDoc: 'it has a here-document',
  HereString: 'it has a here-string',
  Function: 'it defines a function',
  Coproc: 'it starts a coprocess',
  ExtendedGlob: 'it has an extended glob',
  Select: 'it has a menu (select)',
  LocaleString: 'it has a text to be translated',
};

/** `$x` and `${x}`: any operator, subscript or indirection evaluates what it is given. */
const VARIABLE = /^\$([A-Za-z_]\w*|[0-9@*#?$!-]|\{([A-Za-z_]\w*|[0-9]+|[@*#?$!-])\})$/;

/** `{a,b}` and `{1..3}` of plain characters. */
const BRACES = /^\{[\w.,/+-]*\}$/;

/** Variables of loops that no program looks at and that mean nothing to bash. */
const LOOP_VARIABLE = /^(?!npm_|histchars$|.*_proxy$)[a-z][a-z0-9_]*$/;

/** What stands for itself, but for a `$` or a backtick that no expansion accounts for. */
const isLiteral = (text: string): boolean => !/`|\$[\w@*#?$!({['"-]/.test(text.replace(/\\./gs, ''));

class Finder implements Script {
  readonly commands: SimpleCommand[] = [];
  readonly targets: { word: ShellWord; writes: boolean }[] = [];
  readonly texts: string[] = [];
  readonly doubts: string[] = [];
  unread = false;
  /** Scripts whose text is decoded from another (backticks) have a source of their own. */
  #source: string;
  readonly #children: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void;

  constructor(source: string, children: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void) {
    this.#source = source;
    this.#children = children;
  }

  visit(node: SyntaxNode): void {
    const outer = this.#source;
    if (node.type === 'Script') {
      this.#source = node.source ?? outer;
      if (node.errors?.length) this.#fail('it cannot be parsed');
    }
    this.#note(node);
    this.#children(node, (child) => this.visit(child));
    this.#source = outer;
  }

  #note(node: SyntaxNode): void {
    if (!PLAIN.has(node.type)) this.doubts.push(DOUBTS[node.type] ?? `it has a ${node.type}`);
    if (node.type === 'Command') this.#command(node);
    else if (node.type === 'Redirect') this.#redirect(node);
    else if ('script' in node && node.script === undefined) this.#fail('a substitution in it cannot be parsed');
    else this.#noteWord(node);
    const value = node.type === 'Word' ? readWord(node).value : node.type === 'SingleQuoted' ? node.value : undefined;
    if (value !== undefined && /\$\(|`/.test(value) && !this.texts.includes(value)) this.texts.push(value);
  }

  #noteWord(node: SyntaxNode): void {
    const { type } = node;
    if (type === 'SimpleExpansion' || type === 'ParameterExpansion') {
      if (!VARIABLE.test(node.text)) this.doubts.push('it has an expansion that is not just a variable');
    } else if (type === 'BraceExpansion') {
      if (!BRACES.test(node.text)) this.doubts.push('it has a brace expansion that is not simple');
    } else if (type === 'Literal' || (type === 'Word' && node.parts === undefined)) {
      if (!isLiteral(node.text)) this.doubts.push('it has an expansion that cannot be read');
    } else if (type === 'Word' && /^\{[^,]*\[/.test(node.text)) {
      // Before a redirection, `{a[…]}` evaluates the subscript.
      this.doubts.push('it has a subscript');
    } else if (type === 'Assignment') {
      if (node.index !== undefined || node.append || node.value.type !== 'Word') this.doubts.push('it sets a variable');
    } else if (type === 'For' && !LOOP_VARIABLE.test(node.name.value)) this.doubts.push('it sets a variable');
  }

  #fail(doubt: string): void {
    this.doubts.push(doubt);
    this.unread = true;
  }

  #command({ name, prefix, args, pos, end, redirects }: Command): void {
    const assigned = prefix.filter((each) => each.type === 'Assignment');
    const assignments = assigned.map((each) => ({ name: each.name, text: each.text, value: assignedValue(each) }));
    if (name === undefined && assignments.length > 0) this.doubts.push('it sets a variable');
    const words = [...(name ? [readWord(name)] : []), ...args.map(argument)];
    const cut =
      redirects.length > 0 ? [...assigned, ...words].map(({ text }) => text).join(' ') : this.#source.slice(pos, end);
    this.commands.push({ words, assignments, text: cut });
  }

  #redirect({ operator, target, descriptor }: Redirect): void {
    if (descriptor?.type === 'FileDescriptorVariable') this.doubts.push('it sets a variable');
    const word = target && readWord(target);
    if ((operator === '>&' || operator === '<&') && word?.value !== undefined && /^(\d+-?|-)$/.test(word.value)) return;
    // bash ends the redirection at the dash, and begins a word there.
    if ((operator === '>&' || operator === '<&') && /^\d*-/.test(word?.text ?? '-'))
      this.#fail('a redirection in it cannot be read');
    if (word?.value === '/dev/null') return;
    this.doubts.push('it has a redirection');
    if (word) this.targets.push({ word, writes: operator !== '<' && operator !== '<&' });
  }
}

/** An argument. What `export` and its like are given may be an assignment. */
function argument(arg: CommandArgument): ShellWord {
  if (arg.type === 'Word') return readWord(arg);
  const value = assignedValue(arg);
  if (value !== undefined) return plainWord(`${arg.name}=${value}`, arg.text);
  return { text: arg.text, value, glob: false, operand: false, single: false };
}

function assignedValue({ value }: Assignment): string | undefined {
  return value.type === 'Word' ? readWord(value).value : undefined;
}
