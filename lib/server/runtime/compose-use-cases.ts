/** Gives the use cases and jobs their dependencies. `server.ts` composes the process around them. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCurrencyBook } from '../cashier/currency-book.ts'
import { createDriver, type MerchantWord } from '../cashier/drive-withdrawal.ts'
import { createGetDepositAddress } from '../cashier/get-deposit-address.ts'
import { getWithdrawal } from '../cashier/get-withdrawal.ts'
import { listBalances } from '../cashier/list-balances.ts'
import { listCurrencies } from '../cashier/list-currencies.ts'
import { createListTransactions } from '../cashier/list-transactions.ts'
import { createRequestWithdrawal } from '../cashier/request-withdrawal.ts'
import { createStartOnramp } from '../cashier/start-onramp.ts'
import { viewOf } from '../cashier/withdrawal-view.ts'
import { createCircuit } from '../gateway/circuit.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { createAdjustBalance } from '../merchant/adjust-balance.ts'
import { askMerchant } from '../merchant/authorize.ts'
import { createDecideWithdrawal } from '../merchant/decide-withdrawal.ts'
import { createDeliveryJob } from '../merchant/deliveries.ts'
import { createListMerchantEvents } from '../merchant/events-feed.ts'
import { createListQuarantine } from '../merchant/quarantine-list.ts'
import { createRedeliver } from '../merchant/redeliver.ts'
import { createCheckUnknown } from '../reconcile/check-unknown.ts'
import { createCompareUser } from '../reconcile/compare-user.ts'
import { createReconcileJob } from '../reconcile/reconcile-job.ts'
import type { Store } from '../store/port.ts'
import { createRetentionJob } from '../store/retention-job.ts'
import type { WithdrawalRow } from '../store/withdrawals.ts'
import type { Outcome } from '../webhooks/apply-event.ts'
import { createReceiveWebhook } from '../webhooks/receive-webhook.ts'
import { releaseQuarantine } from '../webhooks/release-quarantine.ts'
import type { Config } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { UseCases } from './use-cases.ts'

export interface ComposeOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Log
  readonly metrics: Metrics
  /** Names this process among the instances. */
  readonly instance: string
  readonly clock: () => number
}

export interface Composed {
  readonly useCases: UseCases
  /** Starts the jobs; `stop` resolves when what they were doing is done. */
  start(): Promise<void>
  stop(): Promise<void>
}

const RECONCILE_EVERY_MS = 1000
const REFRESH_EVERY_MS = 300_000
/** Longer than a withdraw call with all its tries to write down what came of it. */
const STUCK_MARGIN_MS = 60_000

export function composeUseCases({ config, store, log, metrics, instance, clock }: ComposeOptions): Composed {
  const books = config.merchantAuthorizeUrl === null
  const gateway = createGatewayClient({
    ...config.gateway,
    clock,
    newNonce: randomUUID,
    log,
    onCall: (report) => {
      metrics.gatewayCall(report)
    },
  })
  const circuit = createCircuit(clock)

  const onOutcome = (outcome: Outcome): void => {
    metrics.webhook(outcome)
    if (outcome === 'unknown_currency') void refreshCurrencies()
  }
  const release = { store, books, onOutcome: (outcome: Outcome) => metrics.webhook(outcome) }

  const currencies = createCurrencyBook({
    store,
    gateway,
    circuit,
    clock,
    onChange: async () => {
      await releaseQuarantine(release, { reasons: ['unknown_currency'] })
    },
  })
  const refreshCurrencies = (): Promise<void> =>
    currencies.refresh().then(
      () => undefined,
      (err: unknown) => {
        log.warn({ err }, 'the currencies could not be read; those kept from before are used')
      },
    )

  const ask = (row: WithdrawalRow): Promise<MerchantWord> =>
    askMerchant(
      {
        url: config.merchantAuthorizeUrl ?? '',
        secret: config.merchantWebhookSecret ?? '',
        fetch: globalThis.fetch,
        clock,
      },
      {
        withdrawal_id: row.id,
        user_reference_id: row.user_reference_id,
        amount: row.amount,
        currency: { id: row.currency_id, currency_code: row.currency_code, network: row.network },
        wallet_address: row.wallet_address,
      },
    ).then(({ reason, ...word }) => {
      log.info({ withdrawal_id: row.id, decision: word.decision, reason }, 'the merchant was asked')
      return word
    })

  const driver = createDriver({
    store,
    gateway,
    instance,
    askMerchant: books ? null : ask,
    onFault: (err, withdrawal_id) => {
      log.warn({ err, withdrawal_id }, 'a withdrawal met a fault')
    },
  })
  const decide = createDecideWithdrawal(store, driver)

  const reconciling = createReconcileJob({
    store,
    instance,
    clock,
    checkUnknown: createCheckUnknown({ store, gateway, books, clock, absenceMs: config.withdrawalAbsenceS * 1000 }),
    compareUser: createCompareUser({ store, gateway, books, clock }),
    resume: (row) => driver.resume(row),
    releaseUser: (user) => releaseQuarantine(release, { reasons: ['unknown_user'], user }),
    onRound: (counts) => {
      metrics.reconciliation(counts)
    },
    onFault: (err, what) => {
      log.warn({ err, what }, 'reconciliation met a fault')
    },
    stuckMs: config.gateway.timeoutMs + STUCK_MARGIN_MS,
    everyMs: RECONCILE_EVERY_MS,
  })

  const delivering =
    config.merchantWebhookUrl === null
      ? null
      : createDeliveryJob({
          store,
          url: config.merchantWebhookUrl,
          secret: config.merchantWebhookSecret ?? '',
          fetch: globalThis.fetch,
          clock,
          random: Math.random,
          holder: instance,
          log,
          onOutcome: (outcome) => metrics.delivery(outcome),
        })

  if (delivering !== null) metrics.watchDeliveries(() => store.deliveries.counts())

  const forgetting = createRetentionJob({
    store,
    keep: config.keep,
    sessionMaxMs: config.sessionMaxS * 1000,
    clock,
    holder: instance,
    log,
  })

  let refreshing: NodeJS.Timeout | undefined

  return {
    useCases: {
      listCurrencies: (session) => listCurrencies(currencies, session),
      getDepositAddress: createGetDepositAddress({ store, gateway, currencies, clock }),
      knownDepositAddress: (session, currencyId) => store.addresses.find(session.user_reference_id, currencyId),
      requestWithdrawal: createRequestWithdrawal({
        store,
        currencies,
        driver,
        instance,
        books,
        newId: randomUUID,
        waitMs: config.gateway.timeoutMs + 10_000,
        sleep,
      }),
      getWithdrawal: (session, id) => getWithdrawal(store, session, id),
      startOnramp: createStartOnramp({
        store,
        gateway,
        currencies,
        origins: config.onrampOrigins,
        returnUrl: `${config.publicUrl}/onramp/return`,
        clock,
        newId: randomUUID,
      }),
      listTransactions: createListTransactions({ store, gateway, circuit, books, clock }),
      listBalances: (user) => listBalances(store, books, user),
      receiveWebhook: createReceiveWebhook({
        store,
        publicKey: config.gateway.publicKey,
        clock,
        toleranceS: config.webhookToleranceS,
        books,
        onOutcome,
      }),
      listMerchantEvents: createListMerchantEvents(store),
      adjustBalance: async (user, input) => {
        const { created, adjustment } = await createAdjustBalance(store, books, () => currencies.list())(user, input)
        return { created, adjustment: { ...adjustment } }
      },
      decideWithdrawal: async (id, input) => viewOf(await decide(id, input)),
      listQuarantine: createListQuarantine(store),
      redeliver: createRedeliver({ store, clock, enabled: delivering !== null }),
      userBecameKnown: async (user) => {
        await releaseQuarantine(release, { reasons: ['unknown_user'], user })
      },
    },
    async start() {
      // A gateway that is slow or away must not hold up the start.
      void refreshCurrencies()
      await releaseQuarantine(release, { reasons: ['unknown_event', 'unknown_status', 'unknown_currency'] })
      refreshing = setInterval(() => void refreshCurrencies(), REFRESH_EVERY_MS)
      await reconciling.start()
      delivering?.start()
      forgetting.start()
    },
    async stop() {
      clearInterval(refreshing)
      await Promise.all([reconciling.stop(), delivering?.stop(), forgetting.stop()])
      await gateway.close()
    },
  }
}
