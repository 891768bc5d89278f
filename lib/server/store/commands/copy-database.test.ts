import { expect, inject, test } from 'vitest'
import { copyDatabase } from './copy-database.ts'
import { openStore } from '../store.ts'
import { sampleQuarantined } from '../testing/sample-rows.ts'
import { seed, type SeedRows } from '../testing/seed.ts'
import { newTestDatabase } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const stores = useStores('sqlite')

test.each<[string, SeedRows]>([
  ['an event in quarantine', { quarantine: [sampleQuarantined()] }],
  ['a webhook', { webhooks: [{ id: 'w', received_ms: 1, sent_s: 1, body: '{}', outcome: 'unknown_user' }] }],
])('a target that already has %s is not overwritten', async (_name, rows) => {
  await stores.one.users.ensure('u', 0)
  const target = await newTestDatabase('postgres', inject('postgresUrl'))
  try {
    const store = await openStore({ url: target.url, clock: Date.now, deliver: false })
    await seed(store, rows)
    await store.close()
    const copying = copyDatabase(stores.url.slice('file:'.length), target.url, () => Promise.resolve())
    await expect(copying).rejects.toThrow('the target is in use')
  } finally {
    await target.remove()
  }
})
