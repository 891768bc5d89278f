import { expect, test } from 'vitest'
import { createRedeliver } from './redeliver.ts'

const untouched = {
  transaction: () => Promise.reject(new Error('the store was asked')),
}

test.each([
  { what: 'nothing', input: {} },
  { what: 'dead: false alone', input: { dead: false } },
  { what: 'no cursor', input: { cursors: ['1', '1 or 1'] } },
  { what: 'too many', input: { cursors: Array.from({ length: 1001 }, (_, n) => String(n)) } },
])('$what to send again is refused by its field', async ({ input }) => {
  const redeliver = createRedeliver({ store: untouched, clock: () => 0, enabled: true })
  await expect(redeliver(input)).rejects.toMatchObject({
    code: 'invalid_request',
    extras: { errors: { cursors: [expect.any(String)] } },
  })
})

test('without a webhook there is nothing to send again', async () => {
  const redeliver = createRedeliver({ store: untouched, clock: () => 0, enabled: false })
  await expect(redeliver({ dead: true })).rejects.toMatchObject({ code: 'not_available' })
})
