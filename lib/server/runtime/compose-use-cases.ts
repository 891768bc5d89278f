/** Supplies the use cases with their dependencies. `compose-jobs.ts` comes after it; `start.ts` calls both. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Currency } from '#lib/contract/cashier.ts'
import type { CreateSessionRequest, WithdrawalDecisionRequest } from '#lib/contract/merchant-requests.ts'
import { createCurrencyCache } from '../cashier/currency-cache.ts'
import { createSentAddresses } from '../cashier/sent-addresses.ts'
import type { SentWithdrawals } from '../cashier/sent-withdrawals.ts'
import { createWithdrawalSteps, type AuthorizationDecision } from '../cashier/withdrawal-steps.ts'
import { createCancelWithdrawal } from '../cashier/cancel-withdrawal.ts'
import { createGetDepositAddress, knownDepositAddress } from '../cashier/get-deposit-address.ts'
import { createHistoryFile } from '../cashier/history-file.ts'
import { createGetDepositLink } from '../cashier/get-deposit-link.ts'
import { createListAllTransactions } from '../cashier/list-all-transactions.ts'
import { createExpectations } from '../cashier/expectations.ts'
import { listBalances } from '../cashier/list-balances.ts'
import { listCurrencies } from '../cashier/list-currencies.ts'
import { createListTransactions } from '../cashier/list-transactions.ts'
import { createRequestWithdrawal } from '../cashier/request-withdrawal.ts'
import { createStartOnramp } from '../cashier/start-onramp.ts'
import { gatewayProblem } from '../cashier/gateway-problem.ts'
import { getOnramp } from '../cashier/get-onramp.ts'
import { getWithdrawal } from '../cashier/get-withdrawal.ts'
import { createCircuit, createListCircuits } from '../gateway/circuit.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { withdrawalView } from '../ledger/withdrawal-view.ts'
import { createAdjustBalance } from '../merchant/adjust-balance.ts'
import { askMerchant } from '../merchant/ask-authorization.ts'
import { createSession } from '../merchant/create-session.ts'
import { createDecideWithdrawal } from '../merchant/decide-withdrawal.ts'
import { createDeliveryViews } from '../merchant/delivery-views.ts'
import { endSession } from '../merchant/end-session.ts'
import { createFeedCursors } from '../merchant/feed-cursor.ts'
import { createListEntries } from '../merchant/list-entries.ts'
import { createListMerchantEvents } from '../merchant/events-feed.ts'
import { createListPayouts } from '../merchant/list-payouts.ts'
import { createListQuarantine } from '../merchant/quarantine-list.ts'
import { createFindWithdrawal, createListWithdrawals } from '../merchant/list-withdrawals.ts'
import { withOfferedFlows } from '../merchant/offered-flows.ts'
import { redeemLaunchToken, type Redeemed } from '../merchant/redeem-launch-token.ts'
import { createRedeliver } from '../merchant/redeliver.ts'
import { createResolveQuarantine } from '../merchant/resolve-quarantine.ts'
import { createSendTestEvent } from '../merchant/send-test-event.ts'
import { createResolveWithdrawal } from '../merchant/resolve-withdrawal.ts'
import { createStatement } from '../merchant/statement.ts'
import { createSetPayoutOwner } from '../merchant/set-payout-owner.ts'
import { createTellRates } from '../merchant/tell-rates.ts'
import type { SessionLimits } from '../merchant/session-life.ts'
import type { InstanceReports } from '../operate/exceptions/instance-reports.ts'
import { scanList } from '../reconcile/scan-user-list.ts'
import type {
  CashierSession,
  Decider,
  KeptCall,
  LaunchAppearance,
  Store,
  WebhookOutcome,
  WithdrawalRow,
} from '../store/types.ts'
import { createReceiveWebhook } from '../webhooks/receive-webhook.ts'
import { reapply, releaseUserWithin } from '../webhooks/release-quarantine.ts'
import type { Config } from './config/config.ts'
import { launchCookies } from './http/launch-cookies.ts'
import { RATE_LIMITS } from './http/rate-limits.ts'
import type { SessionCookies } from './http/session-cookie.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createQuarantineWarnings } from './quarantine-warnings.ts'
import { tracedFetch, tracedGateway, tracedWebhooks } from './tracing/traced-calls.ts'
import { NO_TRACING, type Tracing } from './tracing/tracing.ts'

/** The same time limit as for the delivery of an event. */
const MERCHANT_TIMEOUT_MS = 10_000

/** Longer than the merchant has for the answer about a withdrawal. */
const AUTHORIZATION_MS = 8000

/** How long a first session waits for its user's events in quarantine. */
const RELEASE_AT_SESSION_MS = 1000

/** The parts from which an instance is composed. */
export interface ComposeOptions {
  readonly config: Config
  /** What the gateway inserted before this time is booked nowhere. */
  readonly ledgerStartMs: number
  readonly store: Store
  readonly log: Log
  readonly metrics: Metrics
  /** None by default. */
  readonly tracing?: Tracing
  /** The name of this process among the instances. */
  readonly instance: string
  readonly clock: () => number
  /** Milliseconds by a clock that nobody sets, and that keeps running while the process or its machine sleeps. */
  readonly uptimeMs: () => number
  readonly sent?: SentWithdrawals
  /** What the instance tells the console of the gateway and its webhooks. */
  readonly reports?: InstanceReports
}

export interface SessionUseCaseOptions {
  readonly config: Config
  readonly store: Pick<Store, 'sessions'>
  readonly clock: () => number
  readonly cookies: SessionCookies
  /** Called for each session that ends, so that its streams end too. */
  readonly onSessionEnded: (sessionId: string) => void
  /** The known currencies, without asking the gateway. */
  readonly listedCurrencies: () => Promise<readonly Pick<Currency, 'id'>[]>
}

export const sessionLimits = ({ sessionIdleS, sessionMaxS }: Config): SessionLimits => ({
  idleMs: sessionIdleS * 1000,
  maxMs: sessionMaxS * 1000,
})

/** The use cases of sessions: create, launch, end. */
export function composeSessionUseCases(options: SessionUseCaseOptions) {
  const { config, clock, cookies, onSessionEnded, listedCurrencies } = options
  const { publicUrl, sessionSecrets: secrets } = config
  const { sessions } = options.store
  const onramp = config.onrampOrigins.length > 0
  const [secret] = secrets
  const create = { sessions, publicUrl, onramp, listedCurrencies, secret, clock, newId: randomUUID, randomBytes }
  return {
    createSession: (input: CreateSessionRequest, requestId: string | null = null) =>
      createSession(create, input, requestId),
    /** @throws Problem `not_found` */
    endSession: (sessionId: string) => endSession({ sessions, clock, onSessionEnded }, sessionId),
    /** Redeems a launch token, once even under a race. `count` is called only for our own tokens. */
    async launchSession(token: string, appearance: LaunchAppearance, count: () => Promise<void>): Promise<Redeemed> {
      const redeemed = await redeemLaunchToken({ sessions, secrets, clock }, token, appearance, count)
      return redeemed.outcome === 'launched'
        ? { ...redeemed, session: withOfferedFlows(redeemed.session, onramp) }
        : redeemed
    },
    launchCookies: launchCookies({ sessions, cookies, limits: sessionLimits(config), clock }),
  }
}

/** The use cases of the view of deliveries in a page of the merchant. */
export function composeDeliveryViews({
  config,
  store,
  clock,
}: Pick<ComposeOptions, 'config' | 'clock'> & { readonly store: Pick<Store, 'deliveryViews'> }) {
  const { publicUrl, sessionSecrets: secrets } = config
  const views = createDeliveryViews({ views: store.deliveryViews, publicUrl, secrets, clock, randomBytes })
  return {
    createDeliveryView: views.create,
    beginDeliveryView: views.begin,
    requireDeliveryView: views.requireSession,
  }
}

/**
 * The calls of route files and pages, by name: `app.useCases`. A use case may throw a `Problem`; any other error is
 * answered 500, or 503 if the store is down.
 */
export type UseCases = ReturnType<typeof composeUseCases>['useCases']
/** The parts that jobs use, too. */
export type SharedParts = ReturnType<typeof composeUseCases>['shared']

/** The use cases, and the parts that the jobs share with them. */
export function composeUseCases(options: ComposeOptions & Pick<SessionUseCaseOptions, 'cookies' | 'onSessionEnded'>) {
  const { config, store, log, metrics, instance, ledgerStartMs, clock, uptimeMs, tracing = NO_TRACING } = options
  const { ledgerMode, gatewayMerchantReference: merchantReference } = config
  const client = createGatewayClient({
    ...config.gateway,
    statusWords: config.gatewayStatusWords,
    clock,
    uptimeMs,
    newNonce: randomUUID,
    log,
    onCall: (report) => {
      metrics.gatewayCall(report)
      options.reports?.gatewayCalled(report)
    },
    onLeftOut: (list, count) => {
      metrics.leftOut(list, count)
    },
  })
  const gateway = tracedGateway(client, tracing)
  const circuit = createCircuit(clock)

  const warnOfQuarantine = createQuarantineWarnings({ log, uptimeMs })
  const onOutcome = (outcome: WebhookOutcome, transactionUuid: string | null): void => {
    metrics.webhook(outcome)
    options.reports?.webhookAccepted()
    warnOfQuarantine(outcome, transactionUuid)
    if (outcome === 'unknown_currency') void refreshCurrencies()
  }
  const release = {
    store,
    ledgerMode,
    ledgerStartMs,
    merchantReference,
    onOutcome: (outcome: WebhookOutcome) => metrics.webhook(outcome),
  }

  const currencies = createCurrencyCache({
    store,
    gateway,
    circuit,
    clock,
  })
  /** False if the list could not be read. */
  const refreshCurrencies = (): Promise<boolean> =>
    currencies.refresh().then(
      () => true,
      (err: unknown) => {
        log.warn({ err }, 'reading the currencies failed; the stored ones are used')
        return false
      },
    )

  const ask = (row: WithdrawalRow): Promise<AuthorizationDecision> => {
    let call: KeptCall | null = null
    return askMerchant(
      {
        url: config.merchantAuthorizeUrl ?? '',
        secrets: config.merchantWebhookSecrets,
        fetch: tracedFetch(globalThis.fetch, tracing, 'merchant authorize'),
        clock,
        onExchange: (made) => {
          call = made
        },
      },
      {
        withdrawal_id: row.id,
        user_reference_id: row.user_reference_id,
        amount: row.amount,
        currency: { id: row.currency_id, currency_code: row.currency_code, network: row.network },
        wallet_address: row.wallet_address,
      },
    ).then(({ reason, answered, ...decision }) => {
      const fields = { withdrawal_id: row.id, decision: decision.decision, reason }
      metrics.authorization(answered ? decision.decision : 'unanswered')
      if (answered) log.info(fields, 'the merchant decided about a withdrawal')
      else log.warn(fields, 'the merchant gave no answer about a withdrawal, so it is declined')
      return { ...decision, call }
    })
  }

  const expectations = createExpectations({
    store,
    currencies,
    withdrawalLimits: config.withdrawalLimits,
    values: config.values,
    clock,
  })

  const driver = createWithdrawalSteps({
    store,
    gateway,
    instance,
    uptimeMs,
    ...(options.sent !== undefined && { sent: options.sent }),
    askMerchant: ledgerMode === 'embedded' ? null : ask,
    onFault: (err, withdrawal_id) => {
      log.warn({ err, withdrawal_id }, 'a step of a withdrawal failed')
    },
    onRefused: (row, error) => {
      expectations.noteRefusal(row, error).catch((err: unknown) => {
        log.warn({ err, withdrawal_id: row.id }, 'the limits that a refusal named were not kept')
      })
    },
  })
  const readList = async (user: string): Promise<readonly ListedRecord[]> => {
    try {
      return listedRecords((await scanList(gateway, user)).edges, gateway.statuses)
    } catch (error) {
      throw gatewayProblem(error)
    }
  }
  const decide = createDecideWithdrawal(store, driver)
  const resolveWithdrawal = createResolveWithdrawal({
    store,
    ledgerMode,
    ledgerStartMs,
    clock,
    readList,
    clockOffset: () => gateway.clockOffsetMs(),
  })
  const setPayoutOwner = createSetPayoutOwner(store)
  const resolveQuarantine = createResolveQuarantine({
    store,
    clock,
    applyAgain: async (row, request) => {
      const outcome = await reapply(release, row, request)
      if (outcome !== null && outcome !== row.reason) metrics.webhook(outcome)
      return outcome
    },
    onDismissed: async ({ reason }) => {
      // It may have been the report about a currency, whose new meaning now holds.
      if (reason === 'contradiction') await Promise.race([refreshCurrencies(), sleep(1000)])
    },
  })

  const listTransactions = createListTransactions({
    store,
    gateway,
    circuits: createListCircuits(clock, circuit),
    ledgerMode,
    ledgerStartMs,
    clock,
  })

  const feedCursors = createFeedCursors(store)
  const listedCurrencies = () => currencies.known()

  return {
    useCases: {
      ...composeSessionUseCases({ ...options, listedCurrencies }),
      ...composeDeliveryViews(options),
      listedCurrencies,
      listCurrencies: (session: CashierSession) => listCurrencies(currencies, session),
      getDepositAddress: createGetDepositAddress({ store, gateway, currencies, clock }),
      getDepositLink: createGetDepositLink({ gateway, currencies, enabled: config.depositLinks }),
      knownDepositAddress: (session: CashierSession, currencyId: string) =>
        knownDepositAddress(store, session, currencyId),
      requestWithdrawal: createRequestWithdrawal({
        store,
        currencies,
        driver,
        instance,
        ledgerMode,
        rules: config.withdrawalRules,
        newId: randomUUID,
        mostAMinute: config.rateLimit ? RATE_LIMITS.withdrawals : Infinity,
        waitMs: config.gateway.timeoutMs + 10_000,
        sleep,
      }),
      getWithdrawal: (session: CashierSession, id: string) => getWithdrawal(store, session, id),
      cancelWithdrawal: createCancelWithdrawal({
        store,
        driver,
        enabled: config.userCancellation,
        waitMs: AUTHORIZATION_MS,
        sleep,
      }),
      ...createSentAddresses({ store, currencies, clock }),
      startOnramp: createStartOnramp({
        store,
        gateway,
        currencies,
        origins: config.onrampOrigins,
        legacySite: config.onrampLegacy ? new URL(config.embedOrigins[0] ?? config.publicUrl).hostname : null,
        returnUrl: `${config.publicUrl}/onramp/return`,
        clock,
        newId: randomUUID,
      }),
      getOnramp: (session: CashierSession, id: string) => getOnramp(store, config.onrampOrigins, session, id),
      listTransactions,
      historyFile: createHistoryFile({ store, statuses: gateway.statuses, listTransactions, clock }),
      listExpectations: (session: CashierSession) => expectations.list(session),
      listBalances: (user: string) => listBalances(store, ledgerMode, user),
      receiveWebhook: tracedWebhooks(
        createReceiveWebhook({
          store: store.lane('webhooks'),
          publicKey: config.gateway.publicKeys,
          clock,
          toleranceS: config.webhookToleranceS,
          ledgerMode,
          ledgerStartMs,
          merchantReference,
          onOutcome,
        }),
        tracing,
      ),
      listMerchantEvents: createListMerchantEvents(store, feedCursors),
      listEntries: createListEntries(store),
      statement: createStatement(store, clock),
      adjustBalance: createAdjustBalance(store, ledgerMode, () => currencies.list()),
      tellRates: createTellRates(store, () => expectations.forget()),
      decideWithdrawal: async (id: string, input: WithdrawalDecisionRequest, by: Decider) =>
        withdrawalView(await decide(id, input, by)),
      listWithdrawals: createListWithdrawals(store, clock),
      findWithdrawal: createFindWithdrawal(store, clock),
      listAllTransactions: createListAllTransactions({ store, gateway }),
      resolveWithdrawal,
      listPayouts: createListPayouts(store),
      setPayoutOwner,
      listQuarantine: createListQuarantine(store),
      resolveQuarantine,
      redeliver: createRedeliver({ store, cursors: feedCursors, enabled: config.merchantWebhookUrl !== null, clock }),
      sendTestEvent: createSendTestEvent({
        url: config.merchantWebhookUrl,
        secrets: config.merchantWebhookSecrets,
        otherSecrets: config.merchantApiKeys,
        fetch: tracedFetch(globalThis.fetch, tracing, 'merchant test-event'),
        clock,
        timeoutMs: MERCHANT_TIMEOUT_MS,
        newId: randomUUID,
        record: (attempt) =>
          store.deliveryAttempts.recordTest(attempt).catch((err: unknown) => {
            log.warn({ err }, 'a test event was sent, and could not be recorded')
          }),
      }),
      /** Applies the user's events in quarantine for a second; called after the user's first session was created. */
      userBecameKnown: (user: string) =>
        releaseUserWithin(
          { ...release, sleep: (ms, signal) => sleep(ms, undefined, { signal }) },
          user,
          RELEASE_AT_SESSION_MS,
        ),
    },
    shared: {
      gateway,
      driver,
      release,
      refreshCurrencies,
      acts: { decide, resolveWithdrawal, setPayoutOwner, resolveQuarantine },
    },
  }
}
