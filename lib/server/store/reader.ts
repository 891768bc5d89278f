/** Reads and writes by table, on any connection or transaction. */
import type { Kysely } from 'kysely'
import type { DatabaseTime } from './database/database-time.ts'
import type { Flavour } from './database/migrations/0001-initial.ts'
import type { Tables } from './database/schema.ts'
import { lazily } from './lazily.ts'
import { operatorListsOf } from './lists/operator-lists.ts'
import { addressNotesOf } from './tables/address-notes.ts'
import { waitingCountsOf } from './tables/attention.ts'
import { auditOf } from './tables/audit.ts'
import { bookTotalsOf } from './tables/book-totals.ts'
import { controlTotalsOf } from './tables/control-totals.ts'
import { currenciesOf } from './tables/currencies.ts'
import { deliveriesOf } from './tables/deliveries.ts'
import { deliveryAttemptsOf } from './tables/delivery-attempts.ts'
import { deliveryListOf } from './tables/delivery-list.ts'
import { deliveryViewsOf } from './tables/delivery-views.ts'
import { depositAddressesOf } from './tables/deposit-addresses.ts'
import { erasureOf } from './tables/erasure-rules.ts'
import { dueUsersOf } from './tables/due-users.ts'
import { eventsOf } from './tables/events.ts'
import { exportsOf } from './tables/exports.ts'
import { feedEpochOf } from './tables/feed-epoch.ts'
import { instanceReportsOf } from './tables/instance-reports.ts'
import { leasesOf } from './tables/leases.ts'
import { ledgerStoreOf } from './tables/ledger-store.ts'
import { listScansOf } from './tables/list-scans.ts'
import { measurementsOf } from './tables/measurements.ts'
import { merchantKeysOf } from './tables/merchant-keys.ts'
import { onrampSessionsOf } from './tables/onramp-sessions.ts'
import { openStatesOf } from './tables/open-states.ts'
import { operatorInvitationsOf } from './tables/operator-invitations.ts'
import { operatorPasskeysOf } from './tables/operator-passkeys.ts'
import { operatorViewsOf } from './tables/operator-views.ts'
import { operatorsOf } from './tables/operators.ts'
import { overdueOf } from './tables/overdue.ts'
import { payoutsOf } from './tables/payouts.ts'
import { proposalsOf } from './tables/proposals.ts'
import { quarantineReleasesOf } from './tables/quarantine-releases.ts'
import { quarantineOf } from './tables/quarantine.ts'
import { reconcileQueueOf } from './tables/reconcile-queue.ts'
import { reconciliationDelaysOf } from './tables/reconciliation-delays.ts'
import { reconciliationStateOf } from './tables/reconciliation-state.ts'
import { recordsOf } from './tables/records.ts'
import { requestEffectsOf } from './tables/request-effects.ts'
import { retentionOf } from './tables/retention.ts'
import { searchOf } from './tables/search.ts'
import { sessionsOf } from './tables/sessions.ts'
import { storyReaderOf } from './tables/stories.ts'
import { talliesOf } from './tables/tallies.ts'
import { transactionsOf } from './tables/transactions.ts'
import { unseenNumbersOf } from './tables/unseen-numbers.ts'
import { userHistoryOf } from './tables/user-history.ts'
import { usersOf } from './tables/users.ts'
import { withdrawalsOf } from './tables/withdrawals.ts'

/** Each table's part is made at its first use. */
export const readerOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) =>
  lazily({
    users: () => usersOf(db, flavour, time),
    currencies: () => currenciesOf(db, flavour),
    addresses: () => depositAddressesOf(db, flavour),
    sessions: () => sessionsOf(db, flavour, time),
    merchantKeys: () => merchantKeysOf(db),
    transactions: () => transactionsOf(db, flavour),
    withdrawals: () => withdrawalsOf(db, flavour, time),
    payouts: () => payoutsOf(db, flavour),
    onramps: () => onrampSessionsOf(db, flavour),
    ledger: () => ledgerStoreOf(db),
    controlTotals: () => controlTotalsOf(db, flavour),
    quarantine: () => quarantineOf(db, flavour),
    proposals: () => proposalsOf(db, flavour),
    records: () => recordsOf(db, flavour),
    listScans: () => listScansOf(db, flavour),
    history: () => userHistoryOf(db, flavour),
    stories: () => storyReaderOf(db, flavour, time),
    quarantineReleases: () => quarantineReleasesOf(db),
    events: () => eventsOf(db, flavour),
    feedEpoch: () => feedEpochOf(db),
    leases: () => leasesOf(db, time),
    measurements: () => measurementsOf(db, flavour),
    reconcileQueue: () => reconcileQueueOf(db, flavour, time),
    dueUsers: () => dueUsersOf(db, flavour, time),
    reconciliation: () => reconciliationStateOf(db, time),
    reconciliationDelays: () => reconciliationDelaysOf(db, time),
    unseenNumbers: () => unseenNumbersOf(db, flavour, time),
    openStates: () => openStatesOf(db),
    overdue: () => overdueOf(db, time),
    deliveries: () => deliveriesOf(db, flavour, time),
    deliveryAttempts: () => deliveryAttemptsOf(db, flavour),
    deliveryList: () => deliveryListOf(db, flavour, time),
    deliveryViews: () => deliveryViewsOf(db),
    retention: () => retentionOf(db, flavour),
    exports: () => exportsOf(db, flavour),
    addressNotes: () => addressNotesOf(db, flavour),
    erasure: () => erasureOf(db, flavour),
    attention: () => waitingCountsOf(db),
    bookTotals: () => bookTotalsOf(db),
    instanceReports: () => instanceReportsOf(db, time),
    requestEffects: () => requestEffectsOf(db),
    search: () => searchOf(db, flavour),
    tallies: () => talliesOf(db, flavour),
    operatorLists: () => operatorListsOf(db, flavour),
    operatorViews: () => operatorViewsOf(db),
    operators: () => operatorsOf(db, flavour),
    operatorPasskeys: () => operatorPasskeysOf(db),
    operatorInvitations: () => operatorInvitationsOf(db),
    audit: () => auditOf(db, flavour),
  })

/** All reads and writes outside a transaction. */
export type Reader = ReturnType<typeof readerOf>
