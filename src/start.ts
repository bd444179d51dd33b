// Where a built program or tool begins: dist/start.cjs has checked the runtime and passes its name first.
import { COMMANDS } from './commands/table.ts';
import { start } from './lib/cli/process.ts';
import { TOOLS } from './tools/table.ts';

void start(COMMANDS, TOOLS);
