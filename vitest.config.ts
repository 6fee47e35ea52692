import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        define: { __VERSION__: '"0.0.0-test"', __PLANT__: '""' },
        test: { name: 'unit', include: ['{electron,shared,renderer}/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        // These start processes, kill them and look at the clock: one file at a time, after everything else.
        test: {
          name: 'e2e',
          include: ['{e2e,bench}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
