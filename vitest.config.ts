import { defineConfig } from 'vitest/config';

// Read before globalSetup: whoever sets it to production would get other builds of packages.
process.env.NODE_ENV = 'test';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    setupFiles: ['test/quiet.ts'],
    testTimeout: 60_000,
    // On two cores there would be one worker only.
    maxWorkers: '100%',
  },
});
