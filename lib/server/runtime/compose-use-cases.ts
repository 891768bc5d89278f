/** Supplies the use cases with their dependencies. `compose-jobs.ts` comes after it; `start.ts` calls both. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WithdrawalDecisionRequest } from '#lib/contract/withdrawal-requests.ts'
import { createCancelWithdrawal } from '../cashier/cancel-withdrawal.ts'
import { createCurrencyCache } from '../cashier/currency-cache.ts'
import { createExpectations } from '../cashier/expectations.ts'
import { gatewayProblem } from '../cashier/gateway-problem.ts'
import { createGetDepositAddress, knownDepositAddress } from '../cashier/get-deposit-address.ts'
import { createGetDepositLink } from '../cashier/get-deposit-link.ts'
import { getOnramp } from '../cashier/get-onramp.ts'
import { getWithdrawal } from '../cashier/get-withdrawal.ts'
import { createHistoryFile } from '../cashier/history-file.ts'
import { createListAllTransactions } from '../cashier/list-all-transactions.ts'
import { listBalances } from '../cashier/list-balances.ts'
import { listCurrencies } from '../cashier/list-currencies.ts'
import { createListTransactions } from '../cashier/list-transactions.ts'
import { createRequestWithdrawal } from '../cashier/request-withdrawal.ts'
import { createSentAddresses } from '../cashier/sent-addresses.ts'
import { createStartOnramp } from '../cashier/start-onramp.ts'
import { createWithdrawalSteps, type AuthorizationDecision } from '../cashier/withdrawal-steps.ts'
import { createCircuit, createListCircuits } from '../gateway/circuit.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { withdrawalView } from '../ledger/withdrawal-view.ts'
import { createAdjustBalance } from '../merchant/adjust-balance.ts'
import { askMerchant } from '../merchant/ask-authorization.ts'
import { createDecideWithdrawal } from '../merchant/decide-withdrawal.ts'
import { createListMerchantEvents } from '../merchant/events-feed.ts'
import { createFeedCursors } from '../merchant/feed-cursor.ts'
import { createListEntries } from '../merchant/list-entries.ts'
import { createListPayouts } from '../merchant/list-payouts.ts'
import { createFindWithdrawal, createListWithdrawals } from '../merchant/list-withdrawals.ts'
import { createListQuarantine } from '../merchant/quarantine-list.ts'
import { createRedeliver } from '../merchant/redeliver.ts'
import { createResolveQuarantine } from '../merchant/resolve-quarantine.ts'
import { createResolveWithdrawal } from '../merchant/resolve-withdrawal.ts'
import { createSendTestEvent } from '../merchant/send-test-event.ts'
import { createSetPayoutOwner } from '../merchant/set-payout-owner.ts'
import { createStatement } from '../merchant/statement.ts'
import { createTellRates } from '../merchant/tell-rates.ts'
import { scanList } from '../reconcile/scan-user-list.ts'
import type { CashierSession, Decider, KeptCall, WebhookOutcome, WithdrawalRow } from '../store/types.ts'
import { createReceiveWebhook } from '../webhooks/receive-webhook.ts'
import { reapply, releaseUserWithin } from '../webhooks/release-quarantine.ts'
import type { ComposeOptions } from './compose-options.ts'
import { composeDeliveryViews, composeSessionUseCases, type SessionUseCaseOptions } from './compose-sessions.ts'
import { RATE_LIMITS } from './http/rate-limits.ts'
import { createQuarantineWarnings } from './quarantine-warnings.ts'
import { tracedFetch, tracedGateway, tracedWebhooks } from './tracing/traced-calls.ts'
import { NO_TRACING } from './tracing/tracing.ts'

/** The same time limit as for the delivery of an event. */
const MERCHANT_TIMEOUT_MS = 10_000

/** Longer than the merchant has for the answer about a withdrawal. */
const AUTHORIZATION_MS = 8000

/** How long a first session waits for its user's events in quarantine. */
const RELEASE_AT_SESSION_MS = 1000

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
