import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { checkAudit } from '../commands/check-audit.ts'
import { eraseUser } from '../commands/erase-user.ts'
import type { Store } from '../store.ts'
import { rowsTouched, sqlitePlans } from '../testing/statements.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import type { NewAuditEntry } from './audit-chain.ts'

const ANN = { id: 'o1', name: 'Ann' }
const BEN = { id: 'o2', name: 'Ben' }

const add = (store: Store, entry: Partial<NewAuditEntry> = {}): Promise<number> =>
  store.transaction((tx) => tx.audit.append({ operator: ANN, action: 'user.open', ...entry }, tx.now))

const aboutUser = (id: string) => ({ kind: 'user', id, user_reference_id: id })

/** Runs a statement as somebody who has the database, but without what guards the table. */
async function tamper({ database }: Store, statement: string): Promise<void> {
  const guards =
    database.flavour === 'sqlite'
      ? ['drop trigger audit_entries_delete', 'drop trigger audit_entries_update']
      : ['alter table audit_entries disable trigger all']
  for (const text of [...guards, statement]) await sql.raw(text).execute(database.db)
}

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => 5000 })

  /** Three entries: an act of Ann, its outcome, and a look of Ben at a user. */
  async function threeEntries(): Promise<Store> {
    const { one } = stores
    const about = { kind: 'withdrawal', id: 'w1', user_reference_id: 'u' }
    const begun_seq = await add(one, {
      action: 'withdrawal.approve',
      about,
      reason: 'known customer',
      outcome: 'begun',
    })
    await add(one, { action: 'withdrawal.approve', begun_seq })
    await add(one, { operator: BEN, about: aboutUser('u') })
    return one
  }

  test('entries are numbered without gaps, and each names the hash of the one before', async () => {
    const one = await threeEntries()
    const rows = await one.audit.after(0, 10)
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(rows.map(({ previous_hash }) => previous_hash)).toEqual(['', rows[0]?.hash, rows[1]?.hash])
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3)
    expect(await one.audit.head()).toEqual({ entries: 3, hash: rows[2]?.hash, at_ms: 5000 })
    expect(await checkAudit(one.audit)).toEqual({ fault: null, end: { entries: 3, hash: rows[2]?.hash }, erased: 0 })
  })

  test('an empty log is whole', async () => {
    expect(await checkAudit(stores.one.audit)).toEqual({ fault: null, end: { entries: 0, hash: '' }, erased: 0 })
  })

  test('no entry is added outside a transaction', async () => {
    await expect(stores.one.audit.append({ operator: ANN, action: 'user.open' }, 1)).rejects.toThrow('transaction')
  })

  test('an entry of a transaction that is rolled back leaves no gap', async () => {
    const { one } = stores
    await add(one)
    const failed = one.transaction(async (tx) => {
      await tx.audit.append({ operator: ANN, action: 'user.open' }, tx.now)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await add(one)).toBe(2)
    expect((await checkAudit(one.audit)).fault).toBeNull()
  })

  test('times do not go back, although the clock of another instance does', async () => {
    const { one } = stores
    await one.transaction((tx) => tx.audit.append({ operator: ANN, action: 'user.open' }, 9000))
    await add(one)
    expect((await one.audit.after(0, 9)).map(({ at_ms }) => at_ms)).toEqual([9000, 9000])
  })

  test('writers of two instances continue one chain', async () => {
    const two = await stores.another()
    const writers = [stores.one, two].flatMap((store) => Array.from({ length: 15 }, () => add(store)))
    const seqs = await Promise.all(writers)
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_item, at) => at + 1))
    expect(await checkAudit(two.audit)).toMatchObject({ fault: null, end: { entries: 30 } })
  })

  test.each([
    'delete from audit_entries where seq = 2',
    'delete from audit_entries',
    "update audit_entries set reason = 'another' where seq = 1",
    'update audit_entries set at_ms = 1 where seq = 1',
    "update audit_entries set salt = null, user_reference_id = null, reason = null, detail = null, operator_name = 'X'",
    'update audit_entries set salt = null where seq = 1',
    ...(flavour === 'postgres' ? ['truncate audit_entries'] : []),
  ])('the database refuses: %s', async (statement) => {
    const one = await threeEntries()
    await expect(sql.raw(statement).execute(one.database.db)).rejects.toThrow('entries of the audit log are never')
    expect((await checkAudit(one.audit)).fault).toBeNull()
  })

  test.each([
    ["update audit_entries set reason = 'another' where seq = 1", 1, 'was changed'],
    ["update audit_entries set operator_name = 'Ben' where seq = 2", 2, 'was changed'],
    ["update audit_entries set about_id = 'w2' where seq = 1", 1, 'was changed'],
    ["update audit_entries set user_reference_id = 'v' where seq = 3", 3, 'was changed'],
    ['update audit_entries set at_ms = 4000 where seq = 2', 2, 'was changed'],
    ["update audit_entries set outcome = 'refused' where seq = 2", 2, 'was changed'],
    ['update audit_entries set detail = \'{"a":1}\' where seq = 3', 3, 'was changed'],
    ["update audit_entries set previous_hash = '' where seq = 2", 2, 'was changed'],
    ['delete from audit_entries where seq = 1', 1, 'is missing'],
    ['delete from audit_entries where seq = 2', 2, 'is missing'],
    ['delete from audit_entries where seq = 3', 3, 'is missing'],
    ['delete from audit_entries', 1, 'is missing'],
    ['update audit_entries set seq = 0 where seq = 1', 0, 'was inserted'],
    ['delete from audit_head', 3, 'has no end'],
    ["update audit_head set hash = 'x'", 3, 'was changed'],
    ['update audit_head set entries = 2', 3, 'was inserted'],
    [
      'update audit_entries set salt = null, user_reference_id = null, reason = null, detail = null where seq = 1',
      1,
      'was blanked',
    ],
  ])('the check finds: %s', async (statement, seq, what) => {
    const one = await threeEntries()
    await tamper(one, statement)
    expect((await checkAudit(one.audit)).fault).toEqual({ seq, what: expect.stringContaining(what) as string })
  })

  test('the check finds an entry that was copied between two others', async () => {
    const one = await threeEntries()
    await tamper(one, 'update audit_entries set seq = 4 where seq = 3')
    await sql
      .raw(
        `insert into audit_entries (seq, at_ms, operator_name, action, personal_digest, outcome, previous_hash, hash, salt, detail)
        select 3, at_ms, operator_name, action, personal_digest, outcome, hash, 'made up', salt, detail
        from audit_entries where seq = 2`,
      )
      .execute(one.database.db)
    expect((await checkAudit(one.audit)).fault).toEqual({ seq: 3, what: 'was changed' })
  })

  test('an end that was cut off together with the stored end shows by the end in the log', async () => {
    const one = await threeEntries()
    const noted = (await checkAudit(one.audit)).end
    await tamper(one, 'delete from audit_entries where seq = 3')
    await sql
      .raw('update audit_head set entries = 2, hash = (select hash from audit_entries where seq = 2)')
      .execute(one.database.db)
    expect((await checkAudit(one.audit)).fault).toBeNull()
    expect((await checkAudit(one.audit, noted)).fault).toEqual({
      seq: 3,
      what: expect.stringContaining('is missing') as string,
    })
    await add(one)
    expect((await checkAudit(one.audit, noted)).fault).toEqual({
      seq: 3,
      what: expect.stringContaining('was changed') as string,
    })
    expect((await checkAudit(one.audit, { ...noted, entries: 2, hash: 'x' })).fault).toMatchObject({ seq: 2 })
  })

  test('entries that come while the check reads are no fault', async () => {
    const one = await threeEntries()
    const { audit } = one
    const reader = {
      head: async () => {
        const head = await audit.head()
        await add(one)
        return head
      },
      after: async (seq: number, limit: number) => {
        const rows = await audit.after(seq, limit)
        if (rows.length < limit && seq < 6) await add(one)
        return rows
      },
    }
    expect((await checkAudit(reader)).fault).toBeNull()
  })

  test('erasing a user takes the person out, keeps the chain, and is an entry itself', async () => {
    const one = await threeEntries()
    await one.users.insertIfMissing('u', 1)
    await add(one, { action: 'search.open', detail: { q: 'u' }, about: null })
    await add(one, { about: aboutUser('v'), reason: 'u is a friend', detail: { code: 'u' } })
    const before = await checkAudit(one.audit)
    const erasure = await eraseUser(one, 'u', 'erased_1', () => 5000, ANN)
    expect(erasure.outcome).toBe('erased')
    const rows = await one.audit.after(0, 10)
    const [act, , look, search, other, erased] = rows
    for (const row of [act, look, search])
      expect(row).toMatchObject({ salt: null, user_reference_id: null, reason: null, detail: null })
    expect([act?.about_id, look?.about_id, other?.about_id]).toEqual(['w1', null, 'v'])
    expect(other).toMatchObject({ reason: 'u is a friend' })
    expect(erased).toMatchObject({ action: 'user.erased', operator_name: 'Ann', about_id: 'erased_1' })
    expect(JSON.parse(erased?.detail ?? '')).toEqual({ entries: [1, 3, 4] })
    const after = await checkAudit(one.audit, before.end)
    expect(after).toMatchObject({ fault: null, erased: 3, end: { entries: 6 } })
  })

  test('a command that erases is named so', async () => {
    const { one } = stores
    await one.users.insertIfMissing('u', 1)
    await eraseUser(one, 'u', 'erased_1', () => 5000)
    expect(await one.audit.after(0, 9)).toMatchObject([{ operator_id: null, operator_name: 'command' }])
  })

  describe('the list', () => {
    const seqs = async (...page: Parameters<Store['audit']['page']>): Promise<readonly number[]> =>
      (await stores.one.audit.page(...page)).map(({ seq }) => seq)

    test('shows acts with their outcomes, newest first', async () => {
      const one = await threeEntries()
      expect(await one.audit.page(null, 10)).toMatchObject([
        { seq: 3, outcome: 'done', ended: null, operator_name: 'Ben' },
        { seq: 1, outcome: 'begun', ended: 'done', ended_ms: 5000, reason: 'known customer' },
      ])
      expect(await seqs(3, 10)).toEqual([1])
      expect(await seqs(null, 1)).toEqual([3])
      expect(await seqs(1, 10)).toEqual([])
    })

    test('filters by who, what, about whom and when', async () => {
      const one = await threeEntries()
      await one.transaction((tx) => tx.audit.append({ operator: BEN, action: 'key.make' }, 7000))
      expect(await seqs(null, 9, { operator: 'Ben' })).toEqual([4, 3])
      expect(await seqs(4, 9, { operator: 'Ben' })).toEqual([3])
      expect(await seqs(null, 9, { action: 'withdrawal.approve' })).toEqual([1])
      expect(await seqs(null, 9, { operator: 'Ben', action: 'user.open' })).toEqual([3])
      expect(await seqs(null, 9, { about: 'u' })).toEqual([3, 1])
      expect(await seqs(null, 1, { about: 'u' })).toEqual([3])
      expect(await seqs(3, 9, { about: 'u' })).toEqual([1])
      expect(await seqs(null, 9, { about: 'w1', operator: 'Ben' })).toEqual([])
      expect(await seqs(null, 9, { from_ms: 5001 })).toEqual([4])
      expect(await seqs(null, 9, { to_ms: 7000 })).toEqual([3, 1])
      expect(await seqs(null, 9, { from_ms: 7001 })).toEqual([])
      expect(await seqs(null, 9, { from_ms: 5000, to_ms: 5001, about: 'u' })).toEqual([3, 1])
    })

    test('finds an act by who and what together, however often others did the same', async () => {
      const { one } = stores
      const rows = sql.raw('with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)')
      await sql`insert into audit_entries (seq, at_ms, operator_name, action, personal_digest, outcome, previous_hash, hash)
        ${rows} select i, 1, case when i % 5000 = 7 then 'Ben' else 'Ann' end,
          case when i % 5000 = 9 then 'key.make' else 'user.open' end, '', 'done', '', '' from n`.execute(
        one.database.db,
      )
      if (flavour === 'postgres') await sql`analyze`.execute(one.database.db)
      const ask = () => one.audit.page(null, 9, { operator: 'Ben', action: 'key.make' })
      if (flavour === 'postgres') expect(await rowsTouched(one, ask)).toBeLessThan(20)
      else expect(await sqlitePlans(stores.url, ask)).toEqual([expect.stringContaining('audit_operator_action')])
      expect(await ask()).toEqual([])
      expect(await seqs(null, 9, { operator: 'Ben', action: 'user.open' })).toEqual([15_007, 10_007, 5007, 7])
    })

    test('tells the names that a filter may have', async () => {
      const one = await threeEntries()
      expect(await one.audit.names()).toEqual({
        operators: ['Ann', 'Ben'],
        actions: ['user.open', 'withdrawal.approve'],
      })
    })

    test('tells none of an empty log', async () => {
      expect(await stores.one.audit.names()).toEqual({ operators: [], actions: [] })
    })
  })
})
