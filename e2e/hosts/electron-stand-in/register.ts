import { registerHooks } from 'node:module'

/** Preloaded before the built main file: the name `electron` leads to the stand-in. */
const url = new URL('./electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'electron') return { url, format: 'module-typescript', shortCircuit: true }
    return next(specifier, context)
  },
})
Object.defineProperty(process.versions, 'electron', { value: 'stand-in', enumerable: true })
