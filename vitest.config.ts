import { defineConfig } from 'vitest/config'

export default defineConfig({
  define: { __VERSION__: '"0.0.0-test"', __PLANT__: '""' },
  test: {
    include: ['{electron,shared,renderer,e2e,bench}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
