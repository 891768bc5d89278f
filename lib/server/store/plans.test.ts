/** No query of a page or a job reads a growing table from end to end. */
import { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { ListFilter } from '#lib/contract/operate/lists.ts'
import { disputeLine } from '../ledger/disputes.ts'
import type { Fact, ListedRecord } from '../ledger/facts.ts'
import { post } from '../ledger/post-entries.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { TABLES_BY_USER } from './database/migrations/0001-initial.ts'
import type { ListPlace, ListStepRequest } from './lists/list-steps.ts'
import type { Store, Tx } from './store.ts'
import type { SearchText } from './tables/search.ts'
import type { DeliveryFilter } from './types.ts'
import {
  sampleCall,
  sampleCurrency,
  sampleFact,
  sampleListScan,
  sampleOnramp,
  sampleOperator,
  sampleProposal,
  sampleQuarantined,
  sampleRecord,
  sampleSession,
  sampleTransaction,
  sampleWithdrawal,
} from './testing/sample-rows.ts'
import { sampleKey } from './testing/sample-key.ts'
import { seed, seedIn } from './testing/seed.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { postgresStatements } from './testing/statements.ts'
import { useStores } from './testing/use-stores.ts'

/**
 * Tables with as many rows as there are currencies, jobs or migrations, or events within a few milliseconds, and the
 * earlier results of a statement.
 */
const SMALL = [
  'unnumbered_events',
  'currencies',
  'measurements',
  'book_totals',
  'instance_reports',
  'leases',
  'counters',
  'feed_epoch',
  'reconciliation',
  'commit_marks',
  'operators',
  'merchant_keys',
  'operator_passkeys',
  'operator_invitations',
  'operator_challenges',
  'schema_migrations',
  'found',
  'newest',
  'part',
  'chosen',
  'due',
  'newest',
  'own_withdrawal',
  'own_session',
  'own_onramp',
  'halves',
  'latest',
  'counted',
  'x',
]

/** Used only by commands that read everything, and when a currency's id gets another meaning. */
const COMMANDS =
  /^erasure[.]|^withdrawals[.]doubt(Unsent|Calls)$|^reconciliation[.](noteRestored|endLoss|forgetTimeline)$|^unseenNumbers[.]|^addresses[.]deleteOf$|^ledger[.]holdsMoney$|^operatorViews[.]removeAbout$/

const owner = { user_reference_id: 'u', currency_id: 'c1' }
const session = sampleSession({ id: 's' })
const operatorSession = {
  id: 's',
  operator_id: 'o',
  created_ms: 1,
  last_used_ms: 1,
  touched_ms: 1,
  ended_ms: null,
}
const auditEntry = { operator: { id: 'o', name: 'Ada' }, action: 'user.open', about: { kind: 'user', id: 'u' } }
const passkey = {
  id: 'p',
  operator_id: 'o',
  credential_id: 'c',
  public_key: 'k',
  counter: 0,
  transports: '[]',
  name: 'Laptop',
  created_ms: 1,
  last_used_ms: 1,
  revoked_ms: null,
}
const OF_ANOTHER = { id: 'w7', idempotency_key: 'k7', user_reference_id: 'v', status: 'succeeded' } as const
const invitation = { token_hash: 'h', operator_id: 'o', created_ms: 1, expires_ms: 9 }

const bothWays = async (find: (of: SearchText) => Promise<unknown>): Promise<void> => {
  for (const isPrefix of [false, true]) await find({ text: 'abcdef', isPrefix })
}

const view = { id: 'v', operator_id: 'o', list: 'audit', name: 'n', query: '', created_ms: 1 } as const

const MONEY = { currency: 'USDT', amount_from: decimal('1'), from: 1, to: 2 } as const
const TRANSACTION_FILTERS: readonly ListFilter<'transactions'>[] = [
  {},
  MONEY,
  { user: 'u' },
  { status: ['processing'] },
  { status: ['failed'], kind: ['onramp'] },
  ...(['open', 'attention', 'overdue'] as const).flatMap((show) => [{ show }, { show, ...MONEY }]),
]
const WITHDRAWAL_FILTERS: readonly ListFilter<'withdrawals'>[] = [
  {},
  MONEY,
  { user: 'u', ...MONEY },
  { status: ['unknown'] },
  { status: ['unknown', 'failed'], ...MONEY },
  ...(['open', 'attention', 'overdue'] as const).flatMap((show) => [{ show }, { show, ...MONEY }]),
]
const PAYOUT_FILTERS: readonly ListFilter<'payouts'>[] = [
  {},
  MONEY,
  { user: 'u', ...MONEY },
  { owner: ['none'], ...MONEY },
  { owner: ['none', 'before'] },
  { show: 'attention' },
]
const QUARANTINE_FILTERS: readonly ListFilter<'quarantine'>[] = (
  ['open', 'gateway', 'settled', 'all'] as const
).flatMap((show) => [
  { show },
  { show, reason: ['stale'] },
  { show, reason: ['stale', 'overdue'], from: 1, to: 2 },
  { show, user: 'u' },
])

const LONG_AGO = { sinceMs: 9, aheadMs: 99 } as const

/** Reads a list with each filter, from its beginning and from a place, in either direction. */
async function askList<F, S extends string>(
  read: (request: ListStepRequest<F, S>) => Promise<unknown>,
  filters: readonly F[],
  orders: readonly (readonly [by: S, place: ListPlace])[],
): Promise<void> {
  for (const filter of filters)
    for (const [by, place] of orders)
      for (const after of [null, place])
        for (const back of [false, true]) await read({ filter, sort: { by, descending: true }, after, back, limit: 1 })
}

/** Of a purchase, its deposit, and a withdrawal: a story asks only for rows that others name. */
const STORY = {
  withdrawals: [sampleWithdrawal({ id: 'w9', idempotency_key: 'k9', transaction_uuid: 't9', postings: 1 })],
  facts: [sampleFact({ transaction_uuid: 't9' })],
  transactions: [sampleTransaction({ transaction_uuid: 't9', postings: 1, onramp_session_id: 'o1' })],
}

/** Every query of the store, once. */
const asks = (store: Store): Record<string, () => Promise<unknown>> => ({
  'users.ensure': () => store.users.ensure('u', 1),
  'users.insertIfMissing': () => store.users.insertIfMissing('u', 1),
  'users.find': () => store.users.find('u'),
  'users.exists': () => store.users.exists('u'),
  'users.knownAmong': () => store.users.knownAmong(['u', 'U']),
  'users.lock': () => store.transaction((tx) => tx.users.lock(['u'])),
  'users.scheduleReconciliation': () => store.users.scheduleReconciliation('u', 1),
  'users.reconciled': async () => {
    await store.users.reconciled('u', 1, null)
    await store.users.reconciled('u', 1, { inMs: 1, priority: 'open' }, { unreadable: true })
  },
  'users.reconciliationFailed': () => store.users.reconciliationFailed('u', { inMs: 1, priority: 'sweep' }),
  'users.wholeReadFailed': () => store.users.wholeReadFailed('u'),
  'users.totalsChecked': () => store.users.totalsChecked('u'),
  'users.listTold': () => store.users.listTold('u'),
  'users.mustCheckTotals': () => store.users.mustCheckTotals('u', 1),
  'users.clearRestored': () => store.users.clearRestored('u'),
  'users.idsAfter': () => store.users.idsAfter('a', 1),
  'reconcileQueue.claimUnknown': () => store.reconcileQueue.claimUnknown(1, 1),
  'reconcileQueue.claimDue': () => store.reconcileQueue.claimDue('open', 1, 1),
  'reconcileQueue.nextDueMs': () => store.reconcileQueue.nextDueMs(),
  'reconcileQueue.renew': () => store.reconcileQueue.renew(['u', 'v'], 1),
  'reconcileQueue.requeue': async () => {
    await store.reconcileQueue.requeue()
    await store.reconcileQueue.requeue(true)
  },
  'reconcileQueue.checked': () => store.reconcileQueue.checked('u', { atLeastMs: 1, unreadable: true }),
  'reconciliation.reserveCalls': () => store.reconciliation.reserveCalls(1, 1),
  'reconciliation.noteAlive': () => store.reconciliation.noteAlive(1),
  'reconciliation.catchUpSince': () => store.reconciliation.catchUpSince(),
  'reconciliation.nowMs': () => store.reconciliation.nowMs(),
  'reconciliation.ledgerStart': () => store.reconciliation.ledgerStart(),
  'reconciliation.keepLedgerStart': () => store.reconciliation.keepLedgerStart(1),
  'reconciliation.books': () => store.reconciliation.books(),
  'reconciliation.keepBooks': () => store.reconciliation.keepBooks('embedded', 'i'),
  'reconciliation.restoredMs': () => store.reconciliation.restoredMs(),
  'reconciliation.lostMs': () => store.reconciliation.lostMs(),
  'reconciliation.noteLost': () => store.transaction((tx) => tx.reconciliation.noteLost()),
  'reconciliation.endCatchUp': () => store.reconciliation.endCatchUp(1),
  'dueUsers.endLongWaits': () => store.dueUsers.endLongWaits(),
  'dueUsers.scheduleAsOpen': () => store.dueUsers.scheduleAsOpen(['u', 'v']),
  'dueUsers.scheduleLongestUnread': () => store.dueUsers.scheduleLongestUnread(0, 9),
  'dueUsers.scheduleSeen': () => store.dueUsers.scheduleSeen(0, null, 9),
  'dueUsers.scheduleUncompared': () => store.dueUsers.scheduleUncompared(1, 9),
  'reconciliationDelays.hasWebhookSince': () => store.reconciliationDelays.hasWebhookSince(1),
  'reconciliationDelays.oldestWithdrawalMs': () => store.reconciliationDelays.oldestWithdrawalMs('unknown'),
  'reconciliationDelays.waiting': () => store.reconciliationDelays.waiting(),
  'reconciliationDelays.countUnreadable': () => store.reconciliationDelays.countUnreadable(),
  'openStates.span': () => store.openStates.span('u'),
  'users.listReads': () => store.users.listReads('u'),
  'users.markSeen': () => store.users.markSeen('u', 1),
  'currencies.all': () => store.currencies.all(),
  'currencies.byId': () => store.currencies.byId('c1'),
  'currencies.replaceListed': () => store.currencies.replaceListed([sampleCurrency], 1),
  'currencies.withReports': async () => {
    await store.currencies.markChanged('c1', sampleCurrency)
    await store.currencies.withReports()
  },
  'currencies.markChanged': () => store.currencies.markChanged('c1', sampleCurrency),
  'currencies.lockAll': () => store.transaction((tx) => tx.currencies.lockAll()),
  'currencies.keepNames': () => store.transaction((tx) => tx.currencies.keepNames(['c1'])),
  'currencies.count': () => store.currencies.count(),
  'addresses.find': () => store.addresses.find('u', 'c1'),
  'addresses.saveFirst': () =>
    store.addresses.saveFirst([
      { user_reference_id: 'u', currency_id: 'c1', address: 'a', currency: 'b', network: 'c', created_ms: 1 },
    ]),
  'addresses.ofUser': () => store.addresses.ofUser('u'),
  'addressNotes.ofUser': () => store.addressNotes.ofUser('u'),
  'addressNotes.put': () => store.addressNotes.put('u', { address_id: 'a', name: 'n', forgotten_ms: null }, 1),
  'audit.append': () => store.transaction((tx) => tx.audit.append(auditEntry, 1)),
  'audit.head': () => store.audit.head(),
  'audit.after': () => store.audit.after(0, 1),
  'audit.names': () => store.audit.names(),
  'audit.page': async () => {
    const [who, what, about] = [{ operator: 'Ada' }, { action: 'user.open' }, { about: 'u' }]
    for (const filter of [{}, who, what, { ...who, ...what }, about, { ...who, ...about }, { from_ms: 1, to_ms: 9 }])
      for (const before of [null, 9]) await store.audit.page(before, 1, filter)
  },
  'merchantKeys.add': () => store.merchantKeys.add(sampleKey('k')),
  'merchantKeys.active': () => store.merchantKeys.active(),
  'merchantKeys.all': () => store.merchantKeys.all(),
  'merchantKeys.revoke': () => store.merchantKeys.revoke('k', 'Ada', 1),
  'merchantKeys.use': () => store.merchantKeys.use('k', 2, 1),
  'operators.any': () => store.operators.any(),
  'operators.add': () => store.operators.add(sampleOperator),
  'operators.addSession': () => store.operators.addSession(operatorSession),
  'operators.findSession': () => store.operators.findSession('s'),
  'operators.useSession': () => store.operators.useSession('s', 1),
  'operators.endSession': () => store.operators.endSession('s', 1),
  'operators.find': () => store.operators.find('o'),
  'operators.list': () => store.operators.list(),
  'operators.lock': () => store.transaction((tx) => tx.operators.lock('o')),
  'operators.lockAll': () => store.transaction((tx) => tx.operators.lockAll()),
  'operators.changeRole': () => store.operators.changeRole('o', 'agent'),
  'operators.setDisabled': () => store.operators.setDisabled('o', 1),
  'operators.touchSession': () => store.operators.touchSession('s', 1),
  'operators.lastUses': () => store.operators.lastUses(),
  'operators.endSessionsOf': () => store.operators.endSessionsOf('o', 1),
  'operators.deleteUnusedSessions': () => store.operators.deleteUnusedSessions(0, 9),
  'operatorPasskeys.findPasskey': () => store.operatorPasskeys.findPasskey('c'),
  'operatorPasskeys.listPasskeys': () => store.operatorPasskeys.listPasskeys('o'),
  'operatorPasskeys.addPasskey': () => store.operatorPasskeys.addPasskey(passkey),
  'operatorPasskeys.usePasskey': () => store.operatorPasskeys.usePasskey(passkey, 1, 1),
  'operatorPasskeys.revokePasskey': () => store.operatorPasskeys.revokePasskey('p', 'o', 1),
  'operatorPasskeys.useChallenge': () => store.operatorPasskeys.useChallenge('c', 9, 1),
  'operatorInvitations.invite': () => store.operatorInvitations.invite(invitation, 1),
  'operatorInvitations.findInvitation': () => store.operatorInvitations.findInvitation('h', 1),
  'operatorInvitations.listInvitations': () => store.operatorInvitations.listInvitations(1),
  'operatorInvitations.useInvitation': () => store.operatorInvitations.useInvitation('h', 1),
  'operatorInvitations.withdrawInvitation': () => store.operatorInvitations.withdrawInvitation('o'),
  'sessions.addSession': () => store.sessions.addSession(session, { hash: 'h', expires_ms: 9 }),
  'sessions.redeemLaunchToken': () => store.sessions.redeemLaunchToken('h', 1),
  'sessions.findSession': () => store.sessions.findSession('s'),
  'sessions.ofUser': () => store.sessions.ofUser('u', 1),
  'sessions.unendedOf': () => store.sessions.unendedOf('u'),
  'sessions.findSessions': () => store.sessions.findSessions(['s']),
  'sessions.latestOf': () => store.sessions.latestOf('u'),
  'sessions.endSession': () => store.sessions.endSession('s', 1),
  'sessions.deleteUnusedSessions': () => store.sessions.deleteUnusedSessions(99),
  'transactions.facts': () => store.transactions.facts('deposit', 't'),
  'transactions.find': () => store.transactions.find('deposit', 't'),
  'transactions.factsOf': () => store.transactions.factsOf(['t', 'v']),
  'transactions.awaitingRecords': () => store.transactions.awaitingRecords(['t', 'v']),
  'transactions.byUuids': () => store.transactions.byUuids(['t', 'u']),
  'transactions.merchants': () => store.transactions.merchants('u'),
  'transactions.unlistedSuccesses': () => store.transactions.unlistedSuccesses('u', LONG_AGO, 'embedded'),
  'transactions.senders': () => store.transactions.senders('u', 1),
  'transactions.ofUser': () => store.transactions.ofUser('u', 0, 1),
  'withdrawals.find': () => store.withdrawals.find('w1'),
  'withdrawals.ofUserById': () => store.withdrawals.ofUserById('u', 'w1'),
  'withdrawals.byKey': () => store.withdrawals.byKey('u', 'k'),
  'withdrawals.byIds': () =>
    store.withdrawals.byIds([
      ['u', 'w1'],
      ['u', 'w2'],
    ]),
  'withdrawals.page': async () => {
    for (const user_reference_id of [null, 'u'])
      for (const status of [null, 'unknown'] as const)
        await store.withdrawals.page({ status, user_reference_id }, { created_ms: 9, id: 'w' }, 1)
  },
  'withdrawals.ofUser': () => store.withdrawals.ofUser('u', 0, 1),
  'withdrawals.destinations': () => store.withdrawals.destinations('u', 1),
  'withdrawals.paidAddresses': () => store.withdrawals.paidAddresses('u'),
  'withdrawals.countSince': () => store.withdrawals.countSince('u', 1),
  'withdrawals.waitedLongEnough': () => store.withdrawals.waitedLongEnough(1),
  'withdrawals.dueForCheck': () => store.withdrawals.dueForCheck(['u']),
  'withdrawals.inFlight': () => store.withdrawals.inFlight(1),
  'proposals.add': () => store.proposals.add(sampleProposal()),
  'proposals.find': () => store.proposals.find('p1'),
  'proposals.lock': () => store.transaction((tx) => tx.proposals.lock('p1')),
  'proposals.waitingAbout': () => store.proposals.waitingAbout('not_sent', 'w1'),
  'proposals.waiting': () => store.proposals.waiting(1),
  'proposals.end': () => store.proposals.end('p1', { by: null, outcome: 'void', now: 1 }),
  'proposals.finish': () => store.proposals.finish('p1', 'done', null),
  'proposals.expire': () => store.proposals.expire(1),
  'payouts.find': () => store.payouts.find('t'),
  'payouts.openOf': () => store.payouts.openOf(['u', 'v']),
  'payouts.countOpen': () => store.payouts.countOpen(),
  'payouts.page': async () => {
    for (const user_reference_id of [null, 'u'])
      for (const owner of [undefined, null, 'acknowledged'] as const)
        await store.payouts.page({ owner, user_reference_id }, { first_seen_ms: 9, transaction_uuid: 't' }, 1)
  },
  'overdue.withdrawals': () => store.overdue.withdrawals(LONG_AGO, 1),
  'overdue.reviews': () => store.overdue.reviews(LONG_AGO, 1),
  'overdue.transactions': () => store.overdue.transactions(LONG_AGO, 1),
  'overdue.deliveries': () => store.overdue.deliveries(1),
  'overdue.awaited': () => store.overdue.awaited(LONG_AGO, 1),
  'overdue.lists': () => store.overdue.lists(9, 1),
  'overdue.vanished': () => store.overdue.vanished('u'),
  'overdue.openContradictions': () => store.overdue.openContradictions(['t', 'v']),
  'overdue.readableAgain': () => store.overdue.readableAgain(1),
  'controlTotals.bookings': () => store.controlTotals.bookings('u', 0, 1),
  'controlTotals.owners': () => store.controlTotals.owners('u'),
  'controlTotals.unbooked': () => store.controlTotals.unbooked('u'),
  'controlTotals.withTime': () => store.controlTotals.withTime('u'),
  'controlTotals.of': () => store.controlTotals.of('u'),
  'controlTotals.replace': () => {
    const amounts = { gateway: decimal('1'), ledger: decimal('1'), difference: decimal('0') }
    const row = { currency_id: 'c1', ...amounts, transactions: '[]' }
    return store.transaction((tx) => tx.controlTotals.replace('u', [row], 1))
  },
  'measurements.all': () => store.measurements.all(),
  'measurements.put': () =>
    store.measurements.put([{ currency_id: 'c1', measure: 'rate', meaning: '', samples: '[]', updated_ms: 1 }]),
  'measurements.remove': () => store.measurements.remove('rate', ['c1', 'c2']),
  'measurements.cursor': () => store.measurements.cursor(),
  'measurements.setCursor': () => store.measurements.setCursor(1),
  'onramps.insert': () => store.onramps.insert(sampleOnramp({ id: 'o2', correlation_key: 'k2' })),
  'onramps.ofUser': () => store.onramps.ofUser('u', 1),
  'onramps.find': () => store.onramps.find(sampleOnramp()),
  'onramps.removeUnused': () => store.onramps.removeUnused(sampleOnramp({ id: 'o3' })),
  'onramps.update': () => store.onramps.update(sampleOnramp(), { status: 'failed' }),
  'ledger.balance': () => store.ledger.balance('u', 'c1'),
  'ledger.balances': () => store.ledger.balances('u'),
  'ledger.userEntries': async () => {
    await store.ledger.userEntries('u', null, 1)
    await store.ledger.userEntries('u', 9, 1)
  },
  'ledger.adjustedBy': () =>
    store.ledger.adjustedBy('u', [{ currency_id: 'c1', amounts: [decimal('1')], sinceMs: 1 }], 1),
  'ledger.postingsWithBalances': () => store.ledger.postingsWithBalances('u', null, 1),
  'ledger.erasedOwner': () => store.ledger.erasedOwner('h'),
  'operatorViews.ofOperator': () => store.operatorViews.ofOperator('o'),
  'operatorViews.add': () => store.operatorViews.add(view, 1),
  'operatorViews.change': () => store.operatorViews.change(view),
  'operatorViews.remove': () => store.operatorViews.remove('o', 'v'),
  'operatorLists.transactions': () =>
    askList(store.operatorLists.transactions, TRANSACTION_FILTERS, [['created_at', [9, 't', 'deposit']]]),
  'operatorLists.withdrawals': () =>
    askList(store.operatorLists.withdrawals, WITHDRAWAL_FILTERS, [
      ['created_at', [9, 'w']],
      ['status', ['failed', 9, 'w']],
      ['user_reference_id', ['u', 9, 'w']],
    ]),
  'operatorLists.payouts': () =>
    askList(store.operatorLists.payouts, PAYOUT_FILTERS, [
      ['first_seen_at', [9, 't']],
      ['user_reference_id', ['u', 9, 't']],
    ]),
  'operatorLists.quarantine': () =>
    askList(store.operatorLists.quarantine, QUARANTINE_FILTERS, [
      ['received_at', [9]],
      ['reason', ['stale', 9]],
    ]),
  'ledger.findPosting': () => store.ledger.findPosting('u', 'p'),
  'quarantine.takenPayouts': async () => {
    await seed(store, { records: [sampleRecord({ transaction_uuid: 't7' })] })
    await store.users.ensure('v', 1)
    await seed(store, { withdrawals: [sampleWithdrawal({ ...OF_ANOTHER, transaction_uuid: 't7' })] })
    expect(await store.quarantine.takenPayouts('u')).toMatchObject([{ transaction_uuid: 't7', isTold: false }])
  },
  'quarantine.hasOpen': () => store.quarantine.hasOpen('u', 'totals_differ'),
  'quarantine.unreadPayouts': () => store.quarantine.unreadPayouts('u'),
  'quarantine.lastSettled': () => store.quarantine.lastSettled('u', 'unmatched_payout', 't'),
  'quarantine.openAbout': () => store.quarantine.openAbout('t', ['contradiction', 'list_conflict']),
  'quarantine.settleReports': () => store.quarantine.settleReports('totals_differ', ['u c1'], 1),
  'quarantine.list': async () => {
    for (const reason of [null, 'stale'] as const)
      for (const settled of [false, true]) await store.quarantine.list({ reason, settled, after: 0, limit: 1 })
  },
  'quarantine.reported': () => store.quarantine.reported('u', 'foreign_record', ['t', 'v']),
  'quarantine.ofUser': () => store.quarantine.ofUser('u', 1),
  'quarantine.lockOpen': () => store.transaction((tx) => tx.quarantine.lockOpen([1, 2])),
  'quarantine.find': () => store.quarantine.find(1),
  'quarantine.report': () => store.quarantine.report('lost_commits', {}, 1),
  'quarantine.waiting': async () => {
    await store.quarantine.waiting('unknown_user', { after: 0, limit: 1, user: 'u' })
    await store.quarantine.waiting('unknown_currency', { after: 0, limit: 1 })
  },
  'quarantine.countOpen': () => store.quarantine.countOpen(),
  'stories.ofTransaction': async () => {
    await seed(store, STORY)
    await store.stories.ofTransaction('t9')
    await store.stories.ofTransaction('t9', { users: ['u'], sessions: ['o1'], keys: ['k1'], hashes: ['h'] })
    await store.stories.ofWithdrawal('w9')
  },
  'stories.ofWithdrawal': () => store.stories.ofWithdrawal('w9'),
  'quarantineReleases.nextDueMs': () => store.quarantineReleases.nextDueMs(['unknown_user', 'unknown_currency']),
  'quarantineReleases.due': () => store.quarantineReleases.due('unknown_user', 1, 1),
  'quarantineReleases.postpone': () => store.quarantineReleases.postpone([{ id: 1, release_ms: 0 }], 1),
  'quarantineReleases.currenciesVersion': () => store.quarantineReleases.currenciesVersion(),
  'quarantine.setReason': () => store.quarantine.setReason(1, 'conflict'),
  'quarantine.settle': () => store.quarantine.settle(1, { by: 'system', now: 1 }),
  'records.byKeys': () =>
    store.records.byKeys([
      ['u', 't'],
      ['u', 'v'],
    ]),
  'records.pageOf': () => store.records.pageOf('u', '', 1),
  'records.byUuids': () => store.records.byUuids('u', ['t', 'v']),
  'records.missingSince': async () => {
    for (const scan of ['stored', 'of one round'] as const) await store.records.missingSince('u', LONG_AGO, scan)
  },
  'listScans.addRecords': () => store.listScans.addRecords('u', ['t', 'v']),
  'listScans.put': () => store.listScans.put(sampleListScan()),
  'listScans.find': () => store.listScans.find('u'),
  'listScans.remove': () => store.listScans.remove('u'),
  'retention.deleteListScans': async () => {
    await store.listScans.put(sampleListScan())
    await store.retention.deleteListScans(2 ** 50, 9)
  },
  'events.foreignVersion': () => store.events.foreignVersion(),
  'sessions.noteworthySessions': () =>
    store.sessions.noteworthySessions(['s'], { usedAfterMs: 1, createdAfterMs: 1, touchedAfterMs: 9 }),
  'sessions.touchSessions': () => store.sessions.touchSessions(['s'], 1),
  'history.listedStates': () => store.history.listedStates('u', ['t', 'v']),
  'history.ownRows': () => store.history.ownRows('u', 0),
  'users.isWhole': () => store.users.isWhole('u'),
  'exports.recordsBefore': async () => {
    await store.exports.recordsBefore('u', { fromMs: 1, before: null }, 1)
    await store.exports.recordsBefore('u', { fromMs: 1, before: { inserted_ms: 9, transaction_uuid: 't' } }, 1)
  },
  'exports.onrampsOf': () =>
    store.exports.onrampsOf('u', { uuids: ['t', 'v'], correlationKeys: ['k1'], hashKeys: ['0xab'] }),
  'exports.settled': () => store.exports.settled(),
  'exports.postingsAfter': async () => {
    await store.exports.postingsAfter('u', null, 1)
    await store.exports.postingsAfter(null, { user: 'u', id: 1 }, 1)
  },
  'records.list': () => store.records.list('u', { types: ['Deposit'], fromMs: 1, untilMs: 2 }),
  'events.movedOn': () => store.events.movedOn(new Map([['u', 0]])),
  'events.bounds': () => store.events.bounds('u'),
  'events.holds': () => store.events.holds('u', 1),
  'events.after': () => store.events.after('u', 0, 1),
  'events.number': () => store.events.number(),
  'events.feedAfter': () => store.events.feedAfter(0, 1),
  'feedEpoch.position': () => store.feedEpoch.position(),
  'feedEpoch.startEpoch': () => store.feedEpoch.startEpoch('e'),
  'deliveries.earlierOf': () => store.deliveries.earlierOf('withdrawal:w', 1),
  'leases.take': () => store.leases.take('j', 'h', 2),
  'leases.keepAlive': () => store.leases.keepAlive('h', 2),
  'leases.showDelivery': () => store.leases.showDelivery('h', 2),
  'leases.areDelivering': () => store.leases.areDelivering(),
  'leases.startBy': () => store.leases.startBy('merchant', 'h', 2),
  'leases.liveInstances': () => store.leases.liveInstances(),
  'leases.takeToResume': () => store.leases.takeToResume('w1', 'h', 2),
  'leases.release': () => store.leases.release('j', 'h'),
  'leases.releaseAll': () => store.leases.releaseAll('h'),
  'leases.resumed': () => store.leases.resumed('w1'),
  'leases.deleteAll': () => store.leases.deleteAll(),
  'leases.deleteExpired': () => store.leases.deleteExpired(),
  'deliveries.endLongWaits': () => store.deliveries.endLongWaits(),
  'deliveries.nextDueInMs': () => store.deliveries.nextDueInMs(),
  'deliveries.due': async () => {
    for (const fresh of [true, false])
      for (const after of [null, { next_ms: 1, cursor: 1 }]) await store.deliveries.due({ fresh, limit: 1, after })
  },
  'deliveries.claim': () => store.deliveries.claim([1, 2], 'c', 1),
  'deliveries.holdBack': () => store.deliveries.holdBack([1, 2]),
  'deliveries.retryAt': () => store.deliveries.retryAt(claimed, { nextMs: 1, firstMs: 1, error: 'e' }),
  'deliveries.delivered': () => store.deliveries.delivered(claimed),
  'deliveries.markDead': () => store.deliveries.markDead(claimed, 'e'),
  'deliveries.requeue': () => store.deliveries.requeue([1, 2]),
  'deliveries.requeueDead': () => store.deliveries.requeueDead(1),
  'deliveries.counts': () => store.deliveries.counts(),
  'attention.counts': () => store.attention.counts(),
  'attention.uncheckedUsers': () => store.attention.uncheckedUsers(),
  'attention.newestLines': () => store.attention.newestLines(),
  'attention.lastWebhookMs': () => store.attention.lastWebhookMs(),
  'instanceReports.put': () =>
    store.instanceReports.put('i', { what: 'list_news', count: 1, detail: null, sinceAgoMs: 2, lastAgoMs: 1 }),
  'instanceReports.remove': () => store.instanceReports.remove('i', 'list_news'),
  'instanceReports.all': () => store.instanceReports.all(),
  'tallies.cursor': () => store.tallies.cursor(),
  'tallies.lockCursor': () => store.transaction((tx) => tx.tallies.lockCursor()),
  'tallies.setCursor': () => store.tallies.setCursor(1),
  'tallies.countedAmong': () => store.tallies.countedAmong(['deposit:t', 'deposit:v']),
  'tallies.ofSlots': () => store.tallies.ofSlots([0, 900_000]),
  'tallies.put': () => {
    const of = { slot_ms: 0, currency_code: 'USDT', network: 'Tron', amount: decimal('1') }
    return store.tallies.put([{ ...of, kind: 'deposit', count: 1 }], [{ ...of, entity: 'deposit:t' }])
  },
  'tallies.sums': () => store.tallies.sums(0, 9),
  'bookTotals.balancesAfter': () => store.bookTotals.balancesAfter({ user_reference_id: 'u', currency_id: 'c' }, 1),
  'bookTotals.controlTotalsAfter': () =>
    store.bookTotals.controlTotalsAfter({ user_reference_id: 'u', currency_id: 'c' }, 1),
  'bookTotals.replace': () => store.transaction((tx) => tx.bookTotals.replace([])),
  'bookTotals.all': () => store.bookTotals.all(),
  'requestEffects.note': () =>
    store.requestEffects.note({
      request_id: 'r',
      kind: 'withdrawal',
      name: 'w1',
      user_reference_id: 'u',
      created_ms: 1,
    }),
  'requestEffects.of': () => store.requestEffects.of('r'),
  'search.users': () => bothWays((of) => store.search.users(of, 1)),
  'search.names': () => bothWays((of) => store.search.names(of, 1)),
  'search.rowsNamed': () =>
    store.search.rowsNamed(
      (['deposit', 'withdrawal', 'paid', 'session', 'key'] as const).map((kind) => ({
        kind,
        name: 't',
        user_reference_id: 'u',
      })),
    ),
  'search.withdrawalIds': () => bothWays((of) => store.search.withdrawalIds(of, 1)),
  'search.sessions': () => bothWays((of) => store.search.sessions(of, 1)),
  'search.transactionsByHash': () => bothWays((of) => store.search.transactionsByHash(of, 1)),
  'search.purchasesByReference': () => store.search.purchasesByReference('k1', 1),
  'search.depositAddresses': () => bothWays((of) => store.search.depositAddresses(of, 1)),
  'search.withdrawalsTo': () => bothWays((of) => store.search.withdrawalsTo(of, 1)),
  'search.payoutsTo': () => bothWays((of) => store.search.payoutsTo(of, 1)),
  'search.quarantineAbout': () => store.search.quarantineAbout('t', 1),
  'search.cursorsSentAs': () => store.search.cursorsSentAs('evt_1', 1),
  'search.delivery': () => store.search.delivery(1),
  'retention.deleteTallies': () => store.retention.deleteTallies(0),
  'retention.deleteTalliedEvents': () => store.retention.deleteTalliedEvents(0, 1),
  'retention.deleteInstanceReports': () => store.retention.deleteInstanceReports(0),
  'retention.deleteRequestEffects': () => store.retention.deleteRequestEffects(2 ** 50, 1),
  'deliveryAttempts.record': () => store.transaction((tx) => tx.deliveryAttempts.record([{ ...attempt, ...claimed }])),
  'deliveryAttempts.recordTest': () => store.deliveryAttempts.recordTest({ ...attempt, cursor: null }),
  'deliveryAttempts.of': () => store.deliveryAttempts.of(1),
  'deliveryAttempts.summaries': () => store.deliveryAttempts.summaries([1, 2]),
  'deliveryAttempts.tests': () => store.deliveryAttempts.tests(1),
  'deliveryList.range': () => store.deliveryList.range({ fromMs: 1, toMs: 2 }),
  'deliveryList.candidates': async () => {
    for (const filter of DELIVERY_FILTERS)
      for (const order of ['oldest', 'newest'] as const)
        await store.deliveryList.candidates({ ...ANY_DELIVERY, ...filter }, { after: 0, before: 9 }, order, 1)
  },
  'deliveryList.accepted': async () => {
    for (const filter of DELIVERY_FILTERS) await store.deliveryList.accepted({ ...ANY_DELIVERY, ...filter }, [1, 2], 1)
  },
  'deliveryList.rows': () => store.deliveryList.rows([1, 2]),
  'deliveryList.createdMs': () => store.deliveryList.createdMs(1),
  'deliveryList.stateCounts': () => store.deliveryList.stateCounts(9),
  'deliveryViews.add': () => store.deliveryViews.add({ token_hash: 'h', expires_ms: 9 }),
  'deliveryViews.begin': () => store.deliveryViews.begin('h', 's', 1),
  'deliveryViews.begunMs': () => store.deliveryViews.begunMs('s'),
  'retention.deleteStreamEvents': () => store.transaction((tx) => tx.retention.deleteStreamEvents(2 ** 50, 9)),
  'retention.deleteWebhooks': () => store.retention.deleteWebhooks(99, 9),
  'retention.deleteProposals': () => store.retention.deleteProposals(99, 9),
  'retention.deleteWithdrawalCalls': async () => {
    await seed(store, { calls: [sampleCall({ withdrawal_id: 'w9' })] })
    await store.retention.deleteWithdrawalCalls(2 ** 50, 9)
  },
  'retention.deleteSettledQuarantine': () => store.retention.deleteSettledQuarantine(99, 9),
  'retention.deleteDeliveryAttempts': () => store.retention.deleteDeliveryAttempts(2 ** 50, 9),
  'retention.deleteDeliveryViews': () => store.retention.deleteDeliveryViews(2 ** 50, 9),
  'retention.deleteMerchantEvents': () => store.retention.deleteMerchantEvents(2 ** 50, 9),
})

const claimed = { cursor: 1, entity: 'e', claim: 'c' }
const attempt = { attempt: 1, began_ms: 1, ended_ms: 2, outcome: '204', webhook_id: 'i', signature: 's', body: '{}' }
const ANY_DELIVERY = { state: null, transaction: null, user: null, outcome: null, fromMs: null, toMs: null }
const DELIVERY_FILTERS: readonly Partial<DeliveryFilter>[] = [
  {},
  ...(['waiting', 'failing', 'dead', 'delivered'] as const).map((state) => ({ state })),
  { transaction: 't' },
  { user: 'u', outcome: '204', fromMs: 1, toMs: 2 },
  { outcome: '500', state: 'dead' },
]

const payout = sampleFact({ kind: 'payout', transaction_uuid: 't3', to_address: 'TAddress' })
const purchase = sampleFact({ kind: 'onramp', transaction_uuid: 't2', tx_hash: '0xab', correlation_key: 'k1' })

/** Facts whose related rows are found by each of their keys. */
const FACTS = [sampleFact({ tx_hash: '0xab' }), purchase, payout]

const listed = (fact: Fact): ListedRecord => ({
  transaction_uuid: fact.transaction_uuid,
  user_reference_id: 'u',
  type: fact.kind,
  status: 'TXN_NEW',
  inserted_at: '2026-01-01T00:00:00Z',
  cursor: 'a',
  record: '{}',
  currency: sampleCurrency,
  fact: { ...fact, source: 'reconciliation' },
})

/** Loads rows by every possible key. */
const loadAll = async (tx: Tx): Promise<UnitOfWork> => {
  const unit = await tx.load({
    users: ['u', 'v'],
    transactions: FACTS,
    withdrawals: ['w1', 'w2'],
    onrampReferences: ['o1'],
    onrampKeys: ['k1'],
    currencies: ['c1'],
    balances: [
      ['u', 'c1'],
      ['v', 'c1'],
    ],
  })
  await tx.loadRelated(unit, FACTS)
  return unit
}

/** Units of work with one row of each kind, new and changed; and one that only reads. */
const unitsOfWork = (store: Store): Record<string, () => Promise<unknown>> => ({
  save: () =>
    store.transaction(async (tx) => {
      await tx.onramps.insert(sampleOnramp())
      await seedIn(tx, {
        currencies: [sampleCurrency],
        facts: FACTS,
        transactions: [sampleTransaction({ withdrawal_id: 'w1' })],
        withdrawals: [sampleWithdrawal({ called_ms: 1, transaction_uuid: null })],
        bookings: [{ ...owner, booking: 'adjustment', posting_key: 'p', amount: decimal('1') }],
        records: [sampleRecord()],
        quarantine: [sampleQuarantined()],
        webhooks: [{ received_ms: 1, sent_s: 1, body: '{}', outcome: 'seen' }],
        calls: [sampleCall()],
        published: [
          {
            entity: 'deposit:t',
            user: 'u',
            streamUser: 'u',
            source: 'cashier',
            event: {
              transaction_uuid: 't',
              kind: 'deposit',
              status: 'processing',
              amount: '1',
              currency_code: 'USDT',
              network: 'Tron',
              tx_hash: null,
              updated_at: '',
            },
          },
        ],
      })
    }),
  'load, loadRelated, save': () =>
    store.transaction(async (tx) => {
      const unit = await loadAll(tx)
      for (const row of unit.withdrawals()) unit.putWithdrawal({ ...row, checks: 1 })
      for (const row of unit.onramps()) unit.putOnramp({ ...row, status: 'processing' })
      const row = unit.transaction('deposit', 't1')
      if (row !== null) unit.putTransaction({ ...row, postings: 1 })
      post(unit, { ...owner, booking: 'adjustment', posting_key: 'p2', amount: decimal('1') })
      unit.scheduleReconciliation('u', 0)
      unit.settleReport('overdue', 't1')
      if (row !== null)
        unit.quarantineIfMade({
          line: disputeLine('contradiction', row, () => '{}'),
          status: 'succeeded',
          isLate: true,
          booked: null,
          madeMs: 0,
          network: row.network,
          tx_hash: row.tx_hash,
        })
      const changes = unit.changes()
      const written = [changes.changedWithdrawals, changes.onramps, changes.transactions, changes.reconciliations]
      expect(written.map(({ length }) => length)).toEqual([1, 1, 1, 1])
      await tx.save(unit)
    }),
  applyRecords: async () => {
    const records = [listed(sampleFact({ transaction_uuid: 't8' })), listed(payout)]
    // In the second round the payout is checked again, for the withdrawal that has none.
    for (let n = 0; n < 2; n += 1) await store.applyRecords('u', records, { ledgerMode: 'embedded', ledgerStartMs: 0 })
  },
})

async function askAll(store: Store): Promise<void> {
  await store.users.ensure('u', 1)
  for (const ask of Object.values({ ...unitsOfWork(store), ...asks(store) })) await ask()
}

const ASKED = /^\s*(select|update|delete|insert|with)\b/i

afterEach(() => vi.restoreAllMocks())

describe('sqlite', () => {
  const stores = useStores('sqlite', { deliver: true })

  test('every statement searches by a key, or scans a small table or a partial index', async () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    await askAll(stores.one)
    const statements = new Set(prepare.mock.calls.map(([text]) => text).filter((text) => ASKED.test(text)))
    prepare.mockRestore()
    const db = new DatabaseSync(stores.url.slice('file:'.length))
    const waiting = db.prepare("select name from sqlite_master where type = 'index' and sql like '% where %'").all()
    const partial = waiting.map((row) => String(row['name'])).join('|')
    const allowed = new RegExp(
      `^SCAN (k VIRTUAL TABLE INDEX|json_each VIRTUAL TABLE INDEX|CONSTANT|\\(subquery-\\d+\\)|\\d+-ROW VALUES|${SMALL.join('|')})(?!\\w)|INDEX (${partial})\\b`,
    )
    const scans = [...statements].flatMap((text) =>
      db
        .prepare(`explain query plan ${text}`)
        .all()
        .map((row) => String(row['detail']))
        .filter((detail) => detail.startsWith('SCAN') && !allowed.test(detail))
        .map((detail) => `${detail}: ${text}`),
    )
    db.close()
    expect(statements.size).toBeGreaterThan(80)
    expect(scans).toEqual([])
  })

  test('the check finds a scan', () => {
    const db = new DatabaseSync(stores.url.slice('file:'.length))
    const plan = db.prepare('explain query plan select * from withdrawals where wallet_address = ?').all()
    db.close()
    expect(plan.map((row) => row['detail'])).toEqual(['SCAN withdrawals'])
  })
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Nodes that read a growing table other than by a key. */
function scansOf(node: PlanNode, partial: ReadonlySet<string>): string[] {
  const { 'Node Type': type, 'Relation Name': relation = '', 'Index Name': index = '', Plans: below = [] } = node
  // Of a partition, the name of its table.
  const table = relation.replace(/_\d+$/, '')
  const byIndex = /^(Index Scan|Index Only Scan|Bitmap Index Scan)$/.test(type)
  const whole = byIndex ? node['Index Cond'] === undefined && !partial.has(index) : type === 'Seq Scan'
  const found = whole && !SMALL.includes(table) ? [`${type} ${table} ${index}`] : []
  return [...found, ...below.flatMap((child) => scansOf(child, partial))]
}

describe.each([true, false])('postgres, with partitions: %s', (partitioned) => {
  const stores = useStores('postgres', { deliver: true, partitioned })

  const explain = async (client: pg.PoolClient, text: string, values: unknown[]): Promise<PlanNode> => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${text}`, values)
    return rows[0]!['QUERY PLAN'][0].Plan
  }

  test('every statement can use an index', async () => {
    const statements = await postgresStatements(() => askAll(stores.one))
    const asked = new Map(statements.filter(([text]) => ASKED.test(text) && !text.includes('pg_')))

    const client = await stores.one.database.pool!.connect()
    // Small tables are read whole even if they have indexes, so the planner is asked for a plan for large tables.
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query<{ name: string }>(
      "select indexname as name from pg_indexes where schemaname = 'public' and indexdef like '% WHERE %'",
    )
    const partial = new Set(rows.map(({ name }) => name))
    const scans: string[] = []
    for (const [text, values] of asked)
      scans.push(...scansOf(await explain(client, text, values), partial).map((scan) => `${scan}: ${text}`))
    const seen = scansOf(await explain(client, 'select * from withdrawals where wallet_address = $1', ['a']), partial)
    client.release(true)
    expect(asked.size).toBeGreaterThan(80)
    expect(scans).toEqual([])
    expect(new Set(seen)).toEqual(new Set(['Seq Scan withdrawals ']))
  })

  /** Seldom, and about lines or sessions of any user: none of these joins the rows of two users. */
  const OF_ANY_USER = [
    /^update quarantine set "settled_ms"/,
    /from quarantine where quarantine.transaction_uuid = k.k0 and (?:settled_ms is null|true)/,
    /from "onramp_sessions" where "correlation_key" is not null and "link" is not null order by/,
  ]

  test('every statement of a unit of work names the user', async () => {
    await stores.one.users.ensure('u', 1)
    const asked = await postgresStatements(async () => {
      for (const ask of Object.values(unitsOfWork(stores.one))) await ask()
    })
    const byUser = new RegExp(`(from|into|update|join|lateral \\(select \\* from) "?(${TABLES_BY_USER.join('|')})\\b`)
    const statements = new Set(asked.map(([text]) => text).filter((text) => byUser.test(text)))
    expect(statements.size).toBeGreaterThan(15)
    const unnamed = [...statements].filter((text) => !text.includes('user_reference_id'))
    expect(unnamed.filter((text) => !OF_ANY_USER.some((one) => one.test(text)))).toEqual([])
  })
})

describe('the list of queries', () => {
  const stores = useStores(FLAVOURS[0])

  test('is complete', () => {
    const { one } = stores
    const rooms = Object.entries(one).filter(
      ([name, room]) => typeof room === 'object' && !['database', 'writes'].includes(name),
    )
    const all = rooms.flatMap(([name, room]) => Object.keys(room as object).map((question) => `${name}.${question}`))
    const forPages = all.filter((question) => !COMMANDS.test(question))
    expect(forPages.sort()).toEqual(Object.keys(asks(one)).sort())
  })
})
