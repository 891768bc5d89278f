/** The audit log, as operators see it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditCheck, AuditNames, AuditPage } from '#lib/contract/operate/audit.ts'
import { Problem } from '#lib/contract/problems.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor, type OperatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

let server: TestServer
let admin: OperatorVisitor
beforeAll(async () => {
  server = await startTestServer({ config: testConfig({}), databaseUrl: 'file::memory:' })
  admin = await operatorVisitor(server, 'admin', 'Ann')
})
afterAll(() => server.stop())

const operator = { id: 'o', name: 'Ben' }
const list = async (query = ''): Promise<AuditPage> =>
  (await (await admin.call(`/api/operate/audit${query}`)).json()) as AuditPage

test('an act is stored before it is done, with its outcome after it', async () => {
  const { auditedAct } = server.app.console
  const seen: unknown[] = []
  const about = { kind: 'withdrawal', id: 'w-outcome', user_reference_id: 'u-outcome' }
  const entry = { operator, action: 'withdrawal.approve', about, reason: 'known' }
  const during = async (): Promise<string> => {
    seen.push((await list('?about=w-outcome')).entries[0]?.outcome)
    return 'result'
  }
  expect(await auditedAct(entry, during)).toBe('result')
  expect(seen).toEqual(['begun'])
  const refused = new Problem('conflict', 'It was decided before.')
  await expect(auditedAct(entry, () => Promise.reject(refused))).rejects.toBe(refused)
  const failed = new Error('a fault of ours')
  await expect(auditedAct(entry, () => Promise.reject(failed))).rejects.toBe(failed)
  const away = new Problem('gateway_unavailable', 'The gateway is away.')
  await expect(auditedAct(entry, () => Promise.reject(away))).rejects.toBe(away)
  const { entries } = await list('?about=u-outcome')
  expect(entries.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['failed', 'gateway_unavailable'],
    ['failed', null],
    ['refused', 'conflict'],
    ['done', null],
  ])
  expect(entries[0]).toMatchObject({
    operator: 'Ben',
    action: 'withdrawal.approve',
    about_kind: 'withdrawal',
    about_id: 'w-outcome',
    user_reference_id: 'u-outcome',
    reason: 'known',
    ended_at: expect.any(String) as string,
    erased: false,
  })
  const outcome = (await server.store.audit.after(0, 99)).find(({ begun_seq }) => begun_seq === entries[0]?.seq)
  expect(outcome).toMatchObject({ about_id: null, user_reference_id: null, reason: null })
})

test('an act that dies in between leaves its beginning', async () => {
  const { auditedAct } = server.app.console
  void auditedAct({ operator, action: 'payout.own', about: { kind: 'payout', id: 'p-crash' } }, () => {
    return new Promise(() => undefined)
  })
  await expect
    .poll(async () => (await list('?about=p-crash')).entries)
    .toMatchObject([{ outcome: 'begun', ended_at: null }])
})

test('an outcome that cannot be stored does not undo the act, and is logged', async () => {
  const { auditedAct } = server.app.console
  const { db } = server.store.database
  const entry = { operator, action: 'user.erase', about: { kind: 'key', id: 'k-lost' } }
  const result = await auditedAct(entry, async () => {
    await sql`alter table audit_head rename to audit_gone`.execute(db)
    return 'done'
  })
  await sql`alter table audit_gone rename to audit_head`.execute(db)
  expect(result).toBe('done')
  expect(server.lines.some((line) => line.includes('the outcome of an act is not in the audit log'))).toBe(true)
})

test('an act that cannot be stored is not done', async () => {
  const { db } = server.store.database
  await sql`alter table audit_head rename to audit_gone`.execute(db)
  let isDone = false
  const act = server.app.console.auditedAct({ operator, action: 'user.erase' }, () => Promise.resolve((isDone = true)))
  await expect(act).rejects.toThrow()
  await sql`alter table audit_gone rename to audit_head`.execute(db)
  expect(isDone).toBe(false)
})

test('the list goes page by page, and its filters are in the query', async () => {
  for (const at of [1, 2, 3]) await server.app.console.recordAudit({ operator, action: 'page.open', detail: { at } })
  const first = await list('?action=page.open&limit=2')
  expect(first.entries.map(({ detail }) => detail)).toEqual([{ at: 3 }, { at: 2 }])
  const second = await list(`?action=page.open&limit=2&before=${first.next ?? ''}`)
  expect([second.entries.map(({ detail }) => detail), second.next]).toEqual([[{ at: 1 }], null])
  expect((await list('?action=page.open&operator=Ann')).entries).toEqual([])
  expect((await list('?action=page.open&to=2020-01-01')).entries).toEqual([])
  expect((await list('?action=page.open&from=2020-01-01')).entries).toHaveLength(3)
  for (const query of ['?who=Ann', '?from=yesterday', '?before=0', '?limit=201'])
    expect((await admin.call(`/api/operate/audit${query}`)).status).toBe(422)
  const names = (await (await admin.call('/api/operate/audit/names')).json()) as AuditNames
  expect(names.operators).toEqual(expect.arrayContaining(['Ben']))
  expect(names.actions).toContain('page.open')
})

test('the file has the same entries, and is an entry itself', async () => {
  const viewer = await operatorVisitor(server, 'viewer', 'Vic')
  await server.app.console.recordAudit({ operator, action: 'file.open', reason: '=1+1, "quoted"' })
  const file = await viewer.call('/api/operate/audit.csv?action=file.open')
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, line, ...rest] = (await file.text()).trim().split('\r\n')
  expect(head).toContain('"seq","at","operator","action"')
  expect(line).toContain(`"Ben","file.open","","","","'=1+1, ""quoted""","done"`)
  expect(rest).toEqual([])
  expect((await list('?operator=Vic')).entries).toMatchObject([
    { action: 'audit.export', detail: { action: 'file.open' } },
  ])
})

test('admins check the chain; a changed entry is named, and logged', async () => {
  const viewer = await operatorVisitor(server, 'viewer')
  const check = (who: OperatorVisitor): Promise<Response> => who.call('/api/operate/audit/checks', { method: 'POST' })
  expect(await problem(await check(viewer))).toMatchObject({ code: 'role_required' })
  const whole = (await (await check(admin)).json()) as AuditCheck
  expect(whole).toMatchObject({ fault: null, entries: expect.any(Number) as number })
  expect(server.lines.some((line) => line.includes(whole.hash))).toBe(true)
  const { db } = server.store.database
  await sql`drop trigger audit_entries_update`.execute(db)
  await sql`update audit_entries set reason = 'another' where seq = 2`.execute(db)
  expect(await (await check(admin)).json()).toMatchObject({ fault: { seq: 2, what: 'was changed' } })
  expect(server.lines.some((line) => line.includes('the audit log is broken'))).toBe(true)
})
