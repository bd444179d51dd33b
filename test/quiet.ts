// What a test writes on the console is noise in the output of all: it fails the test that did it.
import { format } from 'node:util';

for (const name of ['debug', 'error', 'info', 'log', 'warn'] as const)
  console[name] = (...said: unknown[]) => {
    throw new Error(`console.${name}: ${format(...said)}`);
  };
