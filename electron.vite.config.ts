import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const define = {
  __VERSION__: JSON.stringify(version),
  // Plants a known bug for the test that proves that the crash verifier finds it; empty in every release.
  __PLANT__: JSON.stringify(process.env.SANDPIPER_PLANT ?? ''),
}

export default defineConfig({
  main: {
    define,
    build: {
      outDir: process.env.SANDPIPER_OUT ?? 'out/main',
      rolldownOptions: {
        input: {
          main: 'electron/main/main.ts',
          cli: 'electron/node/cli.ts',
          'parse-worker': 'electron/parse/parse-worker.ts',
          'sort-worker': 'electron/service/tables/sort-worker.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: 'electron/preload/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react()],
    html: { cspNonce: '__CSP_NONCE__' },
    build: { minify: true, chunkSizeWarningLimit: 2_500, rolldownOptions: { input: 'renderer/index.html' } },
  },
})
