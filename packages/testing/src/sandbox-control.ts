import { askControl, queryOf, type Method } from './sandbox-call.ts'
import type * as settings from './sandbox-settings.ts'
import type * as wire from './sandbox-types.ts'

/** Client of the sandbox's control API. A `uuid` is a `transaction_uuid`; `limit` is 100 by default. */
export class SandboxControl {
  readonly #url: string

  /** @param url origin of the sandbox, such as `http://localhost:4010` */
  constructor(url: string) {
    this.#url = url
  }

  /**
   * Makes any control call by its path below `/control`. All methods here use it.
   * @throws SandboxRefusal if the sandbox refuses
   */
  call(method: Method, path: string, body?: object): Promise<unknown> {
    return askControl(this.#url, method, path, body)
  }

  async currencies(): Promise<readonly wire.SandboxCurrency[]> {
    return (await this.state()).currencies
  }

  /** Makes a deposit appear on the chain. Resolves with its uuid. */
  async detectDeposit(deposit: wire.DepositRequest): Promise<string> {
    const made = await this.#field<wire.SandboxTransaction>('transaction', 'POST', '/deposits', deposit)
    return made.transaction_uuid
  }

  /** @param amount the credited amount, if it differs from the detected amount */
  confirmDeposit(uuid: string, amount?: string): Promise<wire.SandboxTransaction> {
    return this.#step('deposits', uuid, 'confirm', { amount })
  }

  failDeposit(uuid: string, reason?: string): Promise<wire.SandboxTransaction> {
    return this.#step('deposits', uuid, 'fail', { reason })
  }

  /** Newest first. */
  addresses(search: wire.UserSearch = {}): Promise<readonly wire.SandboxAddress[]> {
    return this.#field('addresses', 'GET', `/addresses${queryOf(search)}`)
  }

  /** Payouts, newest first. */
  withdrawals(search: wire.UserSearch & { readonly status?: string } = {}): Promise<readonly wire.SandboxWithdrawal[]> {
    return this.#field('withdrawals', 'GET', `/withdrawals${queryOf(search)}`)
  }

  /** Makes a payout without a call of the cashier. */
  createWithdrawal(payout: wire.PayoutRequest): Promise<wire.SandboxWithdrawal> {
    return this.#field('transaction', 'POST', '/withdrawals', payout)
  }

  approveWithdrawal(uuid: string): Promise<wire.SandboxWithdrawal> {
    return this.#step('withdrawals', uuid, 'approve')
  }

  /** Completes a payout: the funds were sent. */
  completeWithdrawal(uuid: string): Promise<wire.SandboxWithdrawal> {
    return this.#step('withdrawals', uuid, 'complete')
  }

  /** Lets a payout fail, or declines it. Sends no event unless the mode `failure_webhooks` is on. */
  failWithdrawal(uuid: string, reason?: string): Promise<wire.SandboxWithdrawal> {
    return this.#step('withdrawals', uuid, 'fail', { reason })
  }

  /** Purchases, newest first. */
  onrampSessions(search: wire.UserSearch = {}): Promise<readonly wire.SandboxOnrampSession[]> {
    return this.#field('sessions', 'GET', `/onramp-sessions${queryOf(search)}`)
  }

  /** Makes a purchase without a call of the cashier. */
  createOnrampSession(purchase: wire.PurchaseRequest): Promise<wire.SandboxOnrampSession> {
    return this.#field('session', 'POST', '/onramp-sessions', purchase)
  }

  /** @param name its uuid, `session_reference` or `correlation_key` */
  onrampSession(name: string): Promise<wire.SandboxOnrampSession> {
    return this.#field('session', 'GET', `/onramp-sessions/${encodeURIComponent(name)}`)
  }

  /** Advances a purchase to this state through the states before it, with an event for each state. */
  advanceOnramp(
    name: string,
    status: Exclude<wire.OnrampStatus, 'created'>,
    details: wire.OnrampDetails = {},
  ): Promise<wire.SandboxOnrampSession> {
    return this.#field('session', 'POST', `/onramp-sessions/${encodeURIComponent(name)}/${status}`, details)
  }

  /** Newest first. */
  transactions(search: wire.TransactionSearch = {}): Promise<readonly wire.SandboxTransaction[]> {
    return this.#field('transactions', 'GET', `/transactions${queryOf(search)}`)
  }

  /** Creates completed transactions in the past, without events. Resolves with their number. */
  seedTransactions(seed: wire.TransactionSeed): Promise<number> {
    return this.#field('seeded', 'POST', '/transactions/seed', seed)
  }

  /** The delivery log, newest first. */
  webhooks(search: wire.WebhookSearch = {}): Promise<readonly wire.LoggedWebhook[]> {
    return this.#field('webhooks', 'GET', `/webhooks${queryOf(search)}`)
  }

  /** Sends a webhook again with a valid signature and all its retries. */
  redeliver(id: number): Promise<wire.SandboxWebhook> {
    return this.#field('webhook', 'POST', `/webhooks/${id}/redeliver`)
  }

  /** Sends all waiting webhooks now. Resolves with their number. */
  flushWebhooks(): Promise<number> {
    return this.#field('flushed', 'POST', '/webhooks/flush')
  }

  /** Signs and sends any bytes, and resolves with the receiver's response. */
  sendWebhook(webhook: wire.WebhookToSend): Promise<wire.SentWebhook> {
    return this.#all('POST', '/webhooks/send', webhook)
  }

  /**
   * Sets a fault. Limit it to your user by `match`, because other tests may run at the same time.
   * @throws SandboxRefusal for a kind that the target cannot have; its `errors.kind` lists the possible kinds
   */
  fault<Target extends wire.GatewayOperation | '*'>(fault: settings.FaultRequest<Target>): Promise<settings.SetFault> {
    return this.#field('fault', 'POST', '/faults', fault)
  }

  faults(): Promise<readonly settings.SetFault[]> {
    return this.#field('faults', 'GET', '/faults')
  }

  /** Removes one fault, or all of them. */
  async clearFaults(id?: number): Promise<void> {
    await this.call('DELETE', id === undefined ? '/faults' : `/faults/${id}`)
  }

  /** Calls from the cashier to the gateway, oldest first. */
  calls(search: wire.CallSearch = {}): Promise<readonly wire.GatewayCall[]> {
    return this.#field('calls', 'GET', `/calls${queryOf(search)}`)
  }

  async clearCalls(): Promise<void> {
    await this.call('DELETE', '/calls')
  }

  modes(): Promise<settings.SandboxModes> {
    return this.#all('GET', '/modes')
  }

  /** Changes modes, for every test on this sandbox. Resolves with all modes. */
  changeModes(changes: Partial<settings.SandboxModes>): Promise<settings.SandboxModes> {
    return this.#all('PATCH', '/modes', changes)
  }

  /**
   * Moves the gateway's clock, which its replies show in `Date`: to an offset from real time, or by an amount of time.
   */
  moveClock(by: { readonly offset_ms: number } | { readonly advance_ms: number }): Promise<settings.SandboxClock> {
    return this.#all('POST', '/clock', by)
  }

  changeMerchant(id: string, changes: settings.MerchantChanges): Promise<settings.SandboxMerchant> {
    return this.#field('merchant', 'PATCH', `/merchants/${encodeURIComponent(id)}`, changes)
  }

  state(): Promise<settings.SandboxState> {
    return this.#all('GET', '/state')
  }

  /** Amounts, addresses and users that cause a fault without a call here. */
  magicValues(): Promise<settings.MagicValues> {
    return this.#all('GET', '/magic')
  }

  /** The gateway refuses connections for this time, as while it restarts. It keeps its data. */
  async restart(downMs = 1000): Promise<void> {
    await this.call('POST', '/restart', { down_ms: downMs })
  }

  /** Deletes everything: transactions, faults, calls and changed modes. */
  async reset(): Promise<void> {
    await this.call('POST', '/reset')
  }

  async #all<T>(method: Method, path: string, body?: object): Promise<T> {
    return (await this.call(method, path, body)) as T
  }

  async #field<T>(name: string, method: Method, path: string, body?: object): Promise<T> {
    return (await this.#all<Readonly<Record<string, T>>>(method, path, body))[name] as T
  }

  #step<T>(kind: 'deposits' | 'withdrawals', uuid: string, verb: string, body?: object): Promise<T> {
    return this.#field('transaction', 'POST', `/${kind}/${encodeURIComponent(uuid)}/${verb}`, body)
  }
}
