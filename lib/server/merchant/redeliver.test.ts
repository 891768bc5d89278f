import { expect, test } from 'vitest'
import { createRedeliver } from './redeliver.ts'

const untouched = {
  transaction: () => Promise.reject(new Error('the store was called')),
}

test('an invalid cursor is refused by its field', async () => {
  const redeliver = createRedeliver({ store: untouched, clock: () => 0, enabled: true })
  await expect(redeliver({ cursors: ['1', '1 or 1'] })).rejects.toMatchObject({
    code: 'invalid_request',
    extras: { errors: { cursors: [expect.any(String)] } },
  })
})

test('without a webhook there is nothing to send again', async () => {
  const redeliver = createRedeliver({ store: untouched, clock: () => 0, enabled: false })
  await expect(redeliver({ dead: true })).rejects.toMatchObject({ code: 'not_available' })
})
