import { expect, it } from 'vitest'
import { sortArguments } from './launch-arguments.ts'

it.each([
  [[], { browser: false, serve: [], desktop: [] }],
  [['--browser'], { browser: true, serve: [], desktop: [] }],
  [['--no-open', '--port', '8080'], { browser: false, serve: ['--no-open', '--port', '8080'], desktop: [] }],
  [['--port=8080', '--no-sandbox'], { browser: false, serve: ['--port=8080'], desktop: ['--no-sandbox'] }],
  [['--port'], { browser: false, serve: ['--port'], desktop: [] }],
  [
    ['site.sandpiper', '/b/other.sandpiper'],
    { browser: false, serve: [], desktop: ['/home/site.sandpiper', '/b/other.sandpiper'] },
  ],
])('sorts %j', (argv, sorted) => {
  expect(sortArguments(argv, '/home')).toEqual(sorted)
})
