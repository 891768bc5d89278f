import { expect, test, vi } from 'vitest'
import type { Store } from '../store.ts'
import { useStores } from '../testing/use-stores.ts'

const stores = useStores('postgres')

const tell = (store: Store, users: readonly string[]): Promise<void> =>
  store.unitOfWork({ users }, (unit) => {
    for (const user of users) unit.outbox.setBalance(user, { currency_id: 'c', available: '1', held: '0' })
  })

test('a signal names the users, or nobody if they do not fit; the sender ignores it', async () => {
  const { one } = stores
  const other = await stores.another()
  const [own, heard]: [unknown[], unknown[]] = [[], []]
  one.listen((users) => own.push(users))
  other.listen((users) => heard.push(users))
  // Each says once that it listens.
  await vi.waitFor(() => expect([own, heard]).toEqual([[null], [null]]))
  await tell(one, ['ann', 'bob'])
  await vi.waitFor(() => expect(heard).toEqual([null, ['ann', 'bob']]))
  const many = Array.from({ length: 80 }, (_item, n) => `${'u'.repeat(100)}${n}`)
  await tell(one, many)
  await vi.waitFor(() => expect(heard).toEqual([null, ['ann', 'bob'], null]))
  await tell(other, ['cy'])
  await vi.waitFor(() => expect(own).toEqual([null, ['cy']]))
  expect(heard).toHaveLength(3)
})
