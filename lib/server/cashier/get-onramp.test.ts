import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CashierSession } from '../store/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleOnramp } from '../store/testing/sample-rows.ts'
import { getOnramp } from './get-onramp.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await store.onramps.insert(sampleOnramp({ id: 'o1', user_reference_id: 'u', link: 'https://pay.example/1' }))
})
afterEach(() => store.close())

const read = (session: Partial<CashierSession>, origins = ['https://pay.example']) =>
  getOnramp(store, origins, session as CashierSession, 'o1')

test.each([['buy'], ['history'], ['deposit'], ['withdraw']] as const)(
  'a session with only the flow %s reads a purchase of its user',
  async (flow) => {
    expect(await read({ user_reference_id: 'u', flows: [flow] })).toMatchObject({ id: 'o1', status: 'pending' })
  },
)

test("another user's purchase is not found, and a page that is no longer allowed is not passed on", async () => {
  await expect(read({ user_reference_id: 'v', flows: ['buy'] })).rejects.toMatchObject({ code: 'not_found' })
  const own = { user_reference_id: 'u', flows: ['buy'] } as const
  await expect(read(own, ['https://other.example'])).rejects.toMatchObject({ code: 'unsafe_link' })
})

test('the answer says that no event will name the purchase', async () => {
  const session = { user_reference_id: 'u', flows: ['buy'] } as const
  await store.onramps.update(sampleOnramp(), { correlation_key: 'm:1' })
  expect(await read(session)).not.toHaveProperty('reported')
  await store.onramps.update(sampleOnramp(), { correlation_key: null })
  expect(await read(session)).toHaveProperty('reported', false)
})
