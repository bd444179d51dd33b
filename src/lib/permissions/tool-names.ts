// Which tools a rule is about.
import { kindOf, knownAs, type List, type Rule } from './rule.ts';
import { Wildcard } from './wildcard.ts';

/**
 * Whether a rule of this list speaks of a tool. `Edit` rules are about every tool that edits files and `Read` rules about every tool that
 * reads some; what may not be read may not be edited either. A rule that names one editing tool and a path denies it to all of them, and
 * allows it to that tool alone.
 */
export function isAbout(rule: Rule, tool: string, list: List): boolean {
  const kind = kindOf(tool);
  const named = knownAs(rule.tool);
  if (named === knownAs(tool))
    return list !== 'allow' || named !== 'Edit' || rule.tool === 'Edit' || rule.tool === tool;
  if (rule.tool === 'Edit') return kind === 'edit';
  if (named === 'Read')
    return kind === 'search' || (list !== 'allow' && rule.specifier !== undefined && kind === 'edit');
  if (list !== 'allow' && rule.specifier !== undefined && kindOf(rule.tool) === 'edit') return kind === 'edit';
  if (tool.startsWith('mcp__') && tool.startsWith(`${rule.tool}__`)) return true;
  return rule.tool.includes('*') && new Wildcard(rule.tool).matches(tool);
}
