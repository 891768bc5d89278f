import { describe, expect, test } from 'vitest'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const view = (id: string, more: object = {}) =>
  ({ id, operator_id: 'o', list: 'payouts', name: id, query: '', created_ms: 1, ...more }) as const

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)
  const names = async (operator = 'o') =>
    (await stores.one.operatorViews.ofOperator(operator)).map(({ list, name }) => `${list} ${name}`)

  test('views are kept by operator, list and name, up to a number', async () => {
    const { operatorViews } = stores.one
    expect(await operatorViews.add(view('b'), 3)).toBe(true)
    expect(await operatorViews.add(view('c', { name: 'b' }), 3)).toBe(false)
    expect(await operatorViews.add(view('a'), 3)).toBe(true)
    expect(await operatorViews.add(view('d', { list: 'audit', name: 'b' }), 3)).toBe(true)
    expect(await operatorViews.add(view('e'), 3)).toBe(false)
    expect(await operatorViews.add(view('f', { operator_id: 'p', name: 'b' }), 3)).toBe(true)
    expect(await names()).toEqual(['audit b', 'payouts a', 'payouts b'])

    expect(await operatorViews.change(view('a', { name: 'b' }))).toBe(false)
    expect(await operatorViews.change(view('a', { operator_id: 'p', name: 'z' }))).toBe(false)
    expect(await operatorViews.change(view('a', { name: 'z', query: 'q=1' }))).toBe(true)
    expect(await operatorViews.remove('p', 'b')).toBe(false)
    expect(await operatorViews.remove('o', 'b')).toBe(true)
    expect(await operatorViews.ofOperator('o')).toMatchObject([{ id: 'd' }, { id: 'a', name: 'z', query: 'q=1' }])
  })

  test('a view about an erased user is deleted, whoever has it', async () => {
    const { one } = stores
    await one.users.ensure('u-1', 1)
    await one.operatorViews.add(view('a', { query: 'show=open&user=u-1' }), 9)
    await one.operatorViews.add(view('b', { query: 'user=u-11' }), 9)
    await one.operatorViews.add(view('c', { operator_id: 'p', query: 'user=u%2D1&sort=status' }), 9)
    await one.transaction((tx) => tx.erasure.deletePersonalRows('u-1', new Set()))
    expect([await names(), await names('p')]).toEqual([['payouts b'], []])
  })
})
