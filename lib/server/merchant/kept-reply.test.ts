import { expect, test } from 'vitest'
import { keptReply, strikeSecrets } from './kept-reply.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

test.each([SECRET.length, 1, 40])(
  'no part of a secret is kept that the cut divides after %d characters',
  async (shown) => {
    const body = `${'x'.repeat(2048 - shown)}${SECRET}`
    const kept = await keptReply(new Response(body), [SECRET])
    expect(kept.body).toHaveLength(2048 - Math.max(0, shown - '[struck]'.length))
    expect(kept.body.replace(/x+/, '')).toBe('[struck]'.slice(0, shown))
  },
)

test('a secret is struck with its prefix and without', () => {
  const text = `${SECRET} ${SECRET.slice(6)} whsec_unknown== other`
  expect(strikeSecrets(text, [SECRET])).toBe('[struck] [struck] [struck] other')
})

test('a body that breaks off is kept as far as it came', async () => {
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('half'))
      setTimeout(() => stream.error(new Error('reset')))
    },
  })
  expect((await keptReply(new Response(body), [])).body).toBe('half')
})

test('of a long body only the beginning is read', async () => {
  let pulled = 0
  const body = new ReadableStream({
    pull(stream) {
      pulled += 1
      stream.enqueue(new Uint8Array(16_384).fill(97))
    },
  })
  expect((await keptReply(new Response(body), [])).body).toBe('a'.repeat(2048))
  expect(pulled).toBeLessThan(10)
})

test('the headers are cut too', async () => {
  const { head } = await keptReply(new Response(null, { headers: { 'x-long': 'a'.repeat(5000) } }), [])
  expect(head).toBe(`x-long: ${'a'.repeat(2040)}`)
})
