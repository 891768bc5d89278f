import { askControl, queryOf, type Method } from './sandbox-call.ts'
import type * as settings from './sandbox-settings.ts'
import type * as wire from './sandbox-types.ts'

/** Client of the sandbox's control API. A `uuid` is a `transaction_uuid`; `limit` is 100 where it is not given. */
export class SandboxControl {
  readonly #url: string

  /** @param url origin of the sandbox, such as `http://localhost:4010` */
  constructor(url: string) {
    this.#url = url
  }

  /**
   * Any control call, by its path below `/control`; every method here goes through it.
   * @throws SandboxRefusal where the sandbox refuses
   */
  call(method: Method, path: string, body?: object): Promise<unknown> {
    return askControl(this.#url, method, path, body)
  }

  async currencies(): Promise<readonly wire.SandboxCurrency[]> {
    return (await this.state()).currencies
  }

  /** A deposit appears on the chain. Resolves with its uuid. */
  async detectDeposit(deposit: wire.DepositRequest): Promise<string> {
    const made = await this.#field<wire.SandboxTransaction>('transaction', 'POST', '/deposits', deposit)
    return made.transaction_uuid
  }

  /** @param amount where another one than detected is credited */
  confirmDeposit(uuid: string, amount?: string): Promise<wire.SandboxTransaction> {
    return this.#step('deposits', uuid, 'confirm', { amount })
  }

  failDeposit(uuid: string, reason?: string): Promise<wire.SandboxTransaction> {
    return this.#step('deposits', uuid, 'fail', { reason })
  }

  /** The newest first. */
  addresses(search: wire.UserSearch = {}): Promise<readonly wire.SandboxAddress[]> {
    return this.#field('addresses', 'GET', `/addresses${queryOf(search)}`)
  }

  /** Payouts, the newest first. */
  withdrawals(search: wire.UserSearch & { readonly status?: string } = {}): Promise<readonly wire.SandboxWithdrawal[]> {
    return this.#field('withdrawals', 'GET', `/withdrawals${queryOf(search)}`)
  }

  approveWithdrawal(uuid: string): Promise<wire.SandboxWithdrawal> {
    return this.#step('withdrawals', uuid, 'approve')
  }

  /** The funds were sent. */
  completeWithdrawal(uuid: string): Promise<wire.SandboxWithdrawal> {
    return this.#step('withdrawals', uuid, 'complete')
  }

  /** It fails, or the operator declines it. No event, unless the mode `failure_webhooks` is on. */
  failWithdrawal(uuid: string, reason?: string): Promise<wire.SandboxWithdrawal> {
    return this.#step('withdrawals', uuid, 'fail', { reason })
  }

  /** Purchases, the newest first. */
  onrampSessions(search: wire.UserSearch = {}): Promise<readonly wire.SandboxOnrampSession[]> {
    return this.#field('sessions', 'GET', `/onramp-sessions${queryOf(search)}`)
  }

  /** @param name its uuid, `session_reference` or `correlation_key` */
  onrampSession(name: string): Promise<wire.SandboxOnrampSession> {
    return this.#field('session', 'GET', `/onramp-sessions/${encodeURIComponent(name)}`)
  }

  /** Goes to this state through those before it, with an event for each. */
  advanceOnramp(
    name: string,
    status: Exclude<wire.OnrampStatus, 'created'>,
    details: wire.OnrampDetails = {},
  ): Promise<wire.SandboxOnrampSession> {
    return this.#field('session', 'POST', `/onramp-sessions/${encodeURIComponent(name)}/${status}`, details)
  }

  /** The newest first. */
  transactions(search: wire.TransactionSearch = {}): Promise<readonly wire.SandboxTransaction[]> {
    return this.#field('transactions', 'GET', `/transactions${queryOf(search)}`)
  }

  /** Completed transactions in the past, without events. Resolves with how many. */
  seedTransactions(seed: wire.TransactionSeed): Promise<number> {
    return this.#field('seeded', 'POST', '/transactions/seed', seed)
  }

  /** The delivery log, the newest first. */
  webhooks(search: wire.WebhookSearch = {}): Promise<readonly wire.LoggedWebhook[]> {
    return this.#field('webhooks', 'GET', `/webhooks${queryOf(search)}`)
  }

  /** Sends one again with a right signature, with all its retries. */
  redeliver(id: number): Promise<wire.SandboxWebhook> {
    return this.#field('webhook', 'POST', `/webhooks/${id}/redeliver`)
  }

  /** Sends all that waits now. Resolves with how many. */
  flushWebhooks(): Promise<number> {
    return this.#field('flushed', 'POST', '/webhooks/flush')
  }

  /** Signs and sends any bytes, and resolves with the receiver's response. */
  sendWebhook(webhook: wire.WebhookToSend): Promise<wire.SentWebhook> {
    return this.#all('POST', '/webhooks/send', webhook)
  }

  /**
   * Sets a fault. Other tests run beside yours: limit it to your user by `match`.
   * @throws SandboxRefusal for a kind that the target cannot have; its `errors.kind` lists those that it can
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

  /** What the cashier asked of the gateway, the oldest first. */
  calls(search: wire.CallSearch = {}): Promise<readonly wire.GatewayCall[]> {
    return this.#field('calls', 'GET', `/calls${queryOf(search)}`)
  }

  async clearCalls(): Promise<void> {
    await this.call('DELETE', '/calls')
  }

  modes(): Promise<settings.SandboxModes> {
    return this.#all('GET', '/modes')
  }

  /** They hold for every test on this sandbox. Resolves with all modes. */
  changeModes(changes: Partial<settings.SandboxModes>): Promise<settings.SandboxModes> {
    return this.#all('PATCH', '/modes', changes)
  }

  /** Moves the gateway's clock, which its replies tell in `Date`: to a distance from real time, or by so much. */
  moveClock(by: { readonly offset_ms: number } | { readonly advance_ms: number }): Promise<settings.SandboxClock> {
    return this.#all('POST', '/clock', by)
  }

  changeMerchant(id: string, changes: settings.MerchantChanges): Promise<settings.SandboxMerchant> {
    return this.#field('merchant', 'PATCH', `/merchants/${encodeURIComponent(id)}`, changes)
  }

  state(): Promise<settings.SandboxState> {
    return this.#all('GET', '/state')
  }

  /** Amounts, addresses and users that cause a fault by themselves. */
  magicValues(): Promise<settings.MagicValues> {
    return this.#all('GET', '/magic')
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
