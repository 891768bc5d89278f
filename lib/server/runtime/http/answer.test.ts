import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { jsonAnswer, keptJsonAnswer, TextAnswer } from './answer.ts'
import { webResponse } from './web-adapter.ts'

const { signal } = new AbortController()

test('the text of a constant value is made once, and compressed once', async () => {
  const list = [{ id: 'a' }]
  const one = keptJsonAnswer(list, (currencies) => ({ currencies }))
  expect(one.content).toBe('{"currencies":[{"id":"a"}]}')
  expect(keptJsonAnswer(list, () => 'not made')).toBe(one)
  expect(keptJsonAnswer([...list], (currencies) => ({ currencies }))).not.toBe(one)
  expect(one.compressed()).toBe(one.compressed())
  expect(gunzipSync(await one.compressed()).toString('utf8')).toBe(one.content)
})

test('Next gets a Web response', async () => {
  const response = webResponse(jsonAnswer(201, { id: 'a' }, ['a=1', 'b=2']), signal)
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await response.clone().json()).toEqual({ id: 'a' })
})

test('a kept document is compressed once, and can be read repeatedly', async () => {
  const kept = new TextAnswer('a text', { status: 200, headers: {} })
  expect(kept.compressed()).toBe(kept.compressed())
  expect(gunzipSync(await kept.compressed()).toString('utf8')).toBe('a text')
  for (let time = 0; time < 2; time += 1) expect(await webResponse(kept, signal).text()).toBe('a text')
})
