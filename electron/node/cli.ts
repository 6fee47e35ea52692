#!/usr/bin/env node
// No static imports: on an old Node the database would crash the process before it could say why.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Sandpiper needs Node.js 22.19 or newer; this is ${process.versions.node}. Install a newer Node.js and try again.`,
  )
  process.exit(1)
} else {
  const { main } = await import('./cli-main.ts')
  process.exitCode = await main(process.argv.slice(2), import.meta.dirname)
  // A connection attempt that nobody answers would keep the process for seconds: what had to be written is written.
  setTimeout(() => process.exit(), 100).unref()
}

export {}
