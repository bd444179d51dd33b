// Where a built program begins: dist/start.cjs has checked the runtime and passes the program's name first.
import { COMMANDS } from './commands/table.ts';
import { start } from './lib/cli/process.ts';

void start(COMMANDS);
