import { expect, test } from 'vitest'
import { createFeedCursors } from './feed-cursor.ts'
import { createRedeliver } from './redeliver.ts'

const wasCalled = () => Promise.reject(new Error('the store was called'))
const untouched = {
  transaction: wasCalled,
  deliveryList: { range: wasCalled, candidates: wasCalled, accepted: wasCalled },
}
const cursors = createFeedCursors({
  feedEpoch: { position: wasCalled, startEpoch: wasCalled },
  wentBack: wasCalled,
})

test('an invalid cursor is refused with its field', async () => {
  const redeliver = createRedeliver({ store: untouched, cursors, enabled: true, clock: Date.now })
  await expect(redeliver({ cursors: ['1', '1 or 1'] })).rejects.toMatchObject({
    code: 'invalid_request',
    extras: { errors: { 'cursors.1': ['must be a cursor from an earlier answer'] } },
  })
})

test('without a webhook there is nothing to send again', async () => {
  const redeliver = createRedeliver({ store: untouched, cursors, enabled: false, clock: Date.now })
  await expect(redeliver({ dead: true })).rejects.toMatchObject({ code: 'not_available' })
})
