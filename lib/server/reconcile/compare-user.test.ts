import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../store/store.ts'
import { sampleTransaction } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { createCompareUser } from './compare-user.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const NOTHING = {
  edges: [],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: 0,
}

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => NOW, deliver: false })
  await store.users.insertIfMissing('u', NOW)
})
afterEach(() => store.close())

const open = (transaction_uuid: string, openForMs: number) =>
  seed(store, {
    transactions: [sampleTransaction({ transaction_uuid, status: 'processing', created_ms: NOW - openForMs })],
  })

async function nextInMs(): Promise<number | null> {
  const compareUser = createCompareUser({
    store,
    gateway: {
      listUserTransactions: () => Promise.resolve(NOTHING),
      clockOffsetMs: () => 0,
    },
    ledgerMode: 'embedded',
    clock: () => NOW,
    absenceMs: 60_000,
  })
  await compareUser({ user_reference_id: 'u', reconciled_ms: NOW, last_seen_ms: NOW })
  return store.reconcileQueue.nextDueMs()
}

test('a purchase abandoned a hundred days ago does not delay what opened today', async () => {
  await open('abandoned', 100 * DAY)
  expect(await nextInMs()).toBe(DAY)
  await open('today', 0)
  expect(await nextInMs()).toBe(15_000)
})
