import { describe, expect, test } from 'vitest'
import { sampleKey } from '../testing/sample-key.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('a name belongs to one key for ever, in any case', async () => {
    const { merchantKeys } = stores.one
    expect(await merchantKeys.add(sampleKey('a', { name: 'Shop' }))).toBe(true)
    expect(await merchantKeys.add(sampleKey('b', { name: 'shop' }))).toBe(false)
    await merchantKeys.revoke('a', 'Ben', 2000)
    expect(await merchantKeys.add(sampleKey('b', { name: 'SHOP' }))).toBe(false)
    expect(await merchantKeys.all()).toEqual([
      { ...sampleKey('a', { name: 'Shop' }), last_used_ms: null, revoked_ms: 2000, revoked_by: 'Ben' },
    ])
  })

  test('a revoked key is not active, and who revoked it first stays', async () => {
    const { merchantKeys } = stores.one
    await merchantKeys.add(sampleKey('a', { scopes: ['payouts', 'sessions'] }))
    await merchantKeys.add(sampleKey('b'))
    const active = await merchantKeys.active()
    expect(active.find(({ id }) => id === 'a')).toEqual({
      id: 'a',
      name: 'shop a',
      scopes: ['sessions', 'payouts'],
      key_hash: sampleKey('a').key_hash,
      last_used_ms: null,
    })
    expect(await merchantKeys.revoke('a', 'Ann', 2000)).toBe(true)
    expect(await merchantKeys.revoke('a', 'Ben', 3000)).toBe(false)
    expect(await merchantKeys.revoke('c', 'Ben', 3000)).toBe(false)
    expect((await merchantKeys.active()).map(({ id }) => id)).toEqual(['b'])
  })

  test('the newest key is listed first', async () => {
    const { merchantKeys } = stores.one
    await merchantKeys.add(sampleKey('a', { created_ms: 1 }))
    await merchantKeys.add(sampleKey('b', { created_ms: 2 }))
    expect((await merchantKeys.all()).map(({ id }) => id)).toEqual(['b', 'a'])
  })

  test('a use is stored unless a younger one is', async () => {
    const { merchantKeys } = stores.one
    await merchantKeys.add(sampleKey('a'))
    const used = async (): Promise<number | null | undefined> => (await merchantKeys.active())[0]?.last_used_ms
    await merchantKeys.use('a', 100_000, 40_000)
    expect(await used()).toBe(100_000)
    await merchantKeys.use('a', 130_000, 70_000)
    expect(await used()).toBe(100_000)
    await merchantKeys.use('a', 160_000, 100_000)
    expect(await used()).toBe(160_000)
  })
})
