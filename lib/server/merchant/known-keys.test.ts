import { describe, expect, test, vi } from 'vitest'
import { sampleKey, sampleKeyText } from '../store/testing/sample-key.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { ActiveMerchantKey } from '../store/types.ts'
import { createKnownKeys } from './known-keys.ts'

const ONE: ActiveMerchantKey = { ...sampleKey('a'), last_used_ms: null }

function setUp(active = vi.fn(() => Promise.resolve<readonly ActiveMerchantKey[]>([ONE]))) {
  const time = { now: 1000 }
  return { time, active, known: createKnownKeys({ keys: { active }, uptimeMs: () => time.now }) }
}

test('calls within half a second share a read, with unknown keys too', async () => {
  const { time, active, known } = setUp()
  expect(await known.find(sampleKeyText('a'))).toBe(ONE)
  time.now += 500
  expect(await known.find(sampleKeyText('b'))).toBeNull()
  expect(active).toHaveBeenCalledTimes(1)
  time.now += 1
  await Promise.all([known.find(sampleKeyText('a')), known.find(sampleKeyText('b'))])
  expect(active).toHaveBeenCalledTimes(2)
})

test.each(['', 'ck_', sampleKeyText('a').slice(1), `${sampleKeyText('a')}a`, 'ck_' + '!'.repeat(43)])(
  'a text that is no such key costs no read: %s',
  async (text) => {
    const { active, known } = setUp()
    expect(await known.find(text)).toBeNull()
    expect(active).not.toHaveBeenCalled()
  },
)

test('a change on this instance counts from the next call on', async () => {
  const { active, known } = setUp()
  expect(await known.find(sampleKeyText('a'))).toBe(ONE)
  active.mockResolvedValue([])
  known.forget()
  expect(await known.find(sampleKeyText('a'))).toBeNull()
})

test('a slow read that began long before a call does not answer it', async () => {
  const { time, active, known } = setUp()
  let end: () => void = () => undefined
  active.mockReturnValueOnce(
    new Promise((resolve) => {
      end = () => resolve([ONE])
    }),
  )
  const early = known.find(sampleKeyText('a'))
  time.now += 3000
  active.mockResolvedValue([])
  expect(await known.find(sampleKeyText('a'))).toBeNull()
  end()
  expect(await early).toBe(ONE)
})

test('a failed read is not kept', async () => {
  const { active, known } = setUp()
  active.mockRejectedValueOnce(new Error('the database is away'))
  await expect(known.find(sampleKeyText('a'))).rejects.toThrow('the database is away')
  expect(await known.find(sampleKeyText('a'))).toBe(ONE)
})

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('a key that one instance revokes ends on another within a second', async () => {
    const { one } = stores
    const other = await stores.another()
    await one.merchantKeys.add(sampleKey('a'))
    const known = createKnownKeys({ keys: other.merchantKeys, uptimeMs: () => performance.now() })
    expect(await known.find(sampleKeyText('a'))).toMatchObject({ id: 'a' })
    const revoked = performance.now()
    await one.merchantKeys.revoke('a', 'Ann', Date.now())
    await vi.waitFor(async () => expect(await known.find(sampleKeyText('a'))).toBeNull(), { timeout: 5000 })
    expect(performance.now() - revoked).toBeLessThan(1000)
  })
})
