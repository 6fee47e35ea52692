import { Agent, request } from 'undici'

/** Fetches every page of the test site and throws it away: what fetching alone costs. `node raw-fetch.ts <site> <connections>` */

const [site = '', connections = '5'] = process.argv.slice(2)
const urls = (await (await fetch(`${site}__urls`)).text()).trim().split('\n')
const dispatcher = new Agent({ connections: Number(connections), pipelining: 1 })
let next = 0
let bytes = 0

async function lane(): Promise<void> {
  while (next < urls.length) {
    const { body } = await request(urls[next++]!, { dispatcher })
    bytes += (await body.arrayBuffer()).byteLength
  }
}

await Promise.all(Array.from({ length: Number(connections) }, lane))
await dispatcher.close()
console.log(JSON.stringify({ pages: urls.length, bytes }))
