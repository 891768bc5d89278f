import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { NewSession } from './sessions.ts'
import { openStore, type Store } from '../store.ts'
import { sampleSession } from '../testing/sample-rows.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../testing/test-databases.ts'

const NOW = 1_700_000_000_000

const newSession = (id: string, more: Partial<NewSession> = {}): NewSession =>
  sampleSession({
    id,
    user_reference_id: 'player-1',
    flows: ['deposit', 'history'],
    locale: 'de',
    theme: 'auto',
    tokens: { accent: '#2450e6' },
    support_url: 'https://help.example/',
    country: 'DE',
    currency_ids: ['c1', 'c2'],
    return_url: 'https://shop.example/back',
    account_label: 'J•••@example.com',
    merchant_name: 'Acme Games',
    metadata: { order: 'A-1' },
    own_wallet: true,
    created_ms: NOW,
    ...more,
  })

describe.each(FLAVOURS)('sessions on %s', (flavour) => {
  let database: TestDatabase
  let stores: Store[]
  let store: Store

  /** Another instance on the same database. */
  const openAnother = async (): Promise<Store> => {
    const opened = await openStore({ url: database.url, clock: () => NOW, deliver: false })
    stores.push(opened)
    return opened
  }
  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    stores = []
    store = await openAnother()
  })
  afterEach(async () => {
    for (const opened of stores) await opened.close()
    await database.remove()
  })

  const add = (id: string, hash: string, more: Partial<NewSession> = {}): Promise<void> =>
    store.sessions.addSession(newSession(id, more), { hash, expires_ms: NOW + 1000 })

  test('a new session is stored as requested, not launched, and its user is known', async () => {
    expect(await store.users.exists('player-1')).toBe(false)
    await add('s1', 'h1')
    expect(await store.sessions.findSession('s1')).toEqual({
      session: { ...newSession('s1'), last_used_ms: NOW, time_zone: null },
      launched_ms: null,
      ended_ms: null,
    })
    expect(await store.users.exists('player-1')).toBe(true)
    expect(await store.sessions.findSession('s2')).toBeNull()
  })

  test('omitted values are null', async () => {
    const bare = { locale: null, theme: null, tokens: null, support_url: null, country: null, return_url: null }
    await add('s1', 'h1', { ...bare, currency_ids: null })
    expect((await store.sessions.findSession('s1'))?.session).toMatchObject({ ...bare, currency_ids: null })
  })

  test('a token launches only once', async () => {
    await add('s1', 'h1')
    const first = await store.sessions.redeemLaunchToken('h1', NOW + 1)
    expect(first).toMatchObject({ outcome: 'launched', session: { id: 's1', last_used_ms: NOW + 1 } })
    expect(await store.sessions.redeemLaunchToken('h1', NOW + 2)).toEqual({ outcome: 'used' })
    expect((await store.sessions.findSession('s1'))?.launched_ms).toBe(NOW + 1)
  })

  test('an old token and the token of an ended session are expired; any other token is unknown', async () => {
    await add('s1', 'h1')
    expect(await store.sessions.redeemLaunchToken('h1', NOW + 1000)).toEqual({ outcome: 'expired' })
    expect(await store.sessions.redeemLaunchToken('other', NOW)).toEqual({ outcome: 'unknown' })
    await add('s2', 'h2')
    await store.sessions.endSession('s2', NOW)
    expect(await store.sessions.redeemLaunchToken('h2', NOW)).toEqual({ outcome: 'expired' })
  })

  test("the appearance from the merchant's page overrides the session's, and stays", async () => {
    await add('s1', 'h1')
    await store.sessions.redeemLaunchToken('h1', NOW, { locale: 'tr' })
    expect((await store.sessions.findSession('s1'))?.session).toMatchObject({ locale: 'tr', theme: 'auto' })
  })

  test('of 100 redemptions at once, on two instances where possible, one succeeds', async () => {
    const other = flavour === 'postgres' ? await openAnother() : store
    await add('s1', 'h1')
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_item, at) => (at % 2 ? other : store).sessions.redeemLaunchToken('h1', NOW + 1)),
    )
    const count = (outcome: string): number => outcomes.filter((one) => one.outcome === outcome).length
    expect([count('launched'), count('used')]).toEqual([1, 99])
  })

  test('a touch marks the session as used and its user as active', async () => {
    await add('s1', 'h1')
    await store.sessions.touchSessions(['s1'], NOW + 77)
    expect((await store.sessions.findSession('s1'))?.session.last_used_ms).toBe(NOW + 77)
  })

  test('a session ends once; ending it again changes nothing, and ending an unknown one returns false', async () => {
    await add('s1', 'h1')
    expect(await store.sessions.endSession('s1', NOW + 5)).toBe(true)
    expect(await store.sessions.endSession('s1', NOW + 9)).toBe(true)
    expect((await store.sessions.findSession('s1'))?.ended_ms).toBe(NOW + 5)
    expect(await store.sessions.endSession('s2', NOW)).toBe(false)
  })

  test('several sessions are found at once; missing ones are left out', async () => {
    await add('s1', 'h1')
    await add('s2', 'h2', { user_reference_id: 'player-2' })
    const found = await store.sessions.findSessions(['s1', 's2', 's3'])
    expect(found.map((one) => one.session.id).sort()).toEqual(['s1', 's2'])
    expect(await store.sessions.findSessions([])).toEqual([])
  })

  test('a session that was unused for long is deleted with its token; the user stays known', async () => {
    await add('old', 'h1')
    await add('new', 'h2', { created_ms: NOW + 500 })
    expect(await store.sessions.deleteUnusedSessions(NOW + 100)).toBe(1)
    expect(await store.sessions.findSession('old')).toBeNull()
    expect(await store.sessions.findSession('new')).not.toBeNull()
    expect(await store.sessions.redeemLaunchToken('h1', NOW)).toEqual({ outcome: 'unknown' })
    expect(await store.users.exists('player-1')).toBe(true)
  })
})
