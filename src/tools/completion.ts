// attempt_completion: the model says that it is done. The result is kept beside the conversation, where the loop looks for it.
import { join } from 'node:path';
import type { Tool } from '../lib/cli/tool.ts';
import { optionalText, text } from './fields.ts';
import { writePrivate } from './private.ts';
import { sideDirectory } from './side.ts';

const completion: Tool = (input, context) => {
  const result = text(input, 'result');
  const command = optionalText(input, 'command');
  const whole = command === undefined ? result : `${result}\n\nTo see it: ${command}`;
  writePrivate(join(sideDirectory(context), 'completion.md'), `${whole}\n`, context.random());
  return 'The user has the result. The task is over: say nothing more unless you are asked.';
};

export default completion;
