import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressBuild } from '../../../../scripts/compress-build.ts'
import { buildFiles } from './build-files.ts'

const folder = `${mkdtempSync(join(tmpdir(), 'cashier-static-'))}/`
const text = 'export const a = 1\n'.repeat(500)
const server = createServer()

beforeAll(async () => {
  mkdirSync(`${folder}chunks`)
  writeFileSync(`${folder}chunks/a-1.js`, text)
  writeFileSync(`${folder}chunks/b-2.css`, 'a{}')
  expect(await compressBuild(folder)).toBe(2)
  const answer = buildFiles(folder)
  server.on('request', (incoming, response) => {
    if (!answer(incoming, response, incoming.url ?? '')) response.writeHead(418).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function get(path: string, encodings: string | null, method = 'GET') {
  const { port } = server.address() as AddressInfo
  const headers = encodings === null ? {} : { 'accept-encoding': encodings }
  const [response] = (await once(request({ port, path, method, headers }).end(), 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) }
}

test('a script is sent as the build compressed it', async () => {
  const { status, headers, body } = await get('/_next/static/chunks/a-1.js', 'gzip, deflate, br')
  expect([status, brotliDecompressSync(body).toString()]).toEqual([200, text])
  expect(headers).toMatchObject({
    'content-type': 'application/javascript; charset=UTF-8',
    'content-encoding': 'br',
    'content-length': String(body.length),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
})

test('a HEAD has the same length without a body', async () => {
  const { headers, body } = await get('/_next/static/chunks/b-2.css', 'br', 'HEAD')
  expect([headers['content-type'], Number(headers['content-length']) > 0, body.length]).toEqual([
    'text/css; charset=UTF-8',
    true,
    0,
  ])
})

test.each([
  ['/_next/static/chunks/a-1.js', null],
  ['/_next/static/chunks/a-1.js', 'gzip'],
  ['/_next/static/chunks/a-1.js', 'gzip, br;q=0'],
  ['/_next/static/chunks/none.js', 'br'],
  ['/_next/static/chunks/a-1.js.br', 'br'],
  ['/_next/static/chunks/../chunks/a-1.js', 'br'],
])('%s for %s is left to Next', async (path, encodings) => {
  expect((await get(path, encodings)).status).toBe(418)
})
