import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { jsonResponse, keptJsonResponse, TextResponse } from './answer.ts'

test('the text of a value that does not change is made once, and compressed once', async () => {
  const list = [{ id: 'a' }]
  const one = keptJsonResponse(list, (currencies) => ({ currencies }))
  expect(one.content).toBe('{"currencies":[{"id":"a"}]}')
  expect(keptJsonResponse(list, () => 'not made')).toBe(one)
  expect(keptJsonResponse([...list], (currencies) => ({ currencies }))).not.toBe(one)
  expect(one.compressed()).toBe(one.compressed())
  expect(gunzipSync(await one.compressed()).toString('utf8')).toBe(one.content)
})

test('for Next it is a Web response', async () => {
  const response = jsonResponse(201, { id: 'a' }).toResponse()
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.clone().json()).toEqual({ id: 'a' })
})

test('a document that is kept is compressed once, and read as often as asked', async () => {
  const kept = new TextResponse('a text', { status: 200 })
  expect(kept.compressed()).toBe(kept.compressed())
  expect(gunzipSync(await kept.compressed()).toString('utf8')).toBe('a text')
  for (let time = 0; time < 2; time += 1) expect(await new Response(kept.body).text()).toBe('a text')
})
