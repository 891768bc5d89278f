/** One world: machines with instances of the cashier, a gateway, a merchant and users. */
import { Chance, uuidOf } from './random.ts'
import { Faults } from './faults.ts'
import { GatewayNetwork } from './gateway-network.ts'
import { GatewayWebhooks, type SignedWebhook, type WebhookReply } from './gateway-webhooks.ts'
import { Problem, type CashierSession, type Instance, type UseCases } from './instance.ts'
import { MachineSlots } from './machine-slots.ts'
import type { Movement, Purchase } from './gateway-records.ts'
import { ModelGateway } from './model-gateway.ts'
import { ModelMerchant } from './model-merchant.ts'
import type { Plan, Settings } from './plan.ts'
import { VirtualClock } from './virtual-clock.ts'
import { useVirtualParts } from './virtual-process.ts'
import type { WorldDatabase } from './world-database.ts'
import type { Bug } from './bug.ts'

/** The outcome of a call to an instance: its value, a problem, or no answer. */
export type CallOutcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'problem'; readonly code: string; readonly withdrawalId: string | null }
  | { readonly kind: 'lost' }

type LedgerMode = Settings['ledgerMode']

export interface WorldOptions {
  readonly plan: Plan
  readonly database: WorldDatabase
  /** Names of the faults to leave out. */
  readonly without: ReadonlySet<string>
  readonly bug: Bug | null
  /** Called with a line for each event; null if nobody reads the history. */
  readonly onNote: ((line: string) => void) | null
}

/** Longer than the pause between two rounds of any job. */
const JOB_PAUSE_MS = 1100
const LONGEST_ROUNDS_MS = 120_000
/** For so long nobody has called and nothing is about to happen. */
const CALM_MS = 60_000
/** Less than the time after which an instance counts as dead. */
const LATE_MS = 4000
/** After these problems a decision may have been stored. */
const MAY_HAVE_COUNTED: readonly string[] = ['internal', 'store_unavailable']
/** Longer than the database lets frozen machines keep their locks, one after the other. */
const LONGEST_WEBHOOK_S = 20

export class World {
  readonly plan: Plan
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly gateway: ModelGateway
  readonly webhooks: GatewayWebhooks
  readonly merchant: ModelMerchant
  readonly gatewayNetwork: GatewayNetwork
  readonly database: WorldDatabase
  readonly bug: Bug | null
  /** Things that must never happen, found while the world ran. */
  readonly violations: string[] = []
  /** Who keeps the books now. */
  ledgerMode: LedgerMode
  /** How many events the feed had when the other began to keep the books; null: nobody has. */
  eventsBefore: number | null = null
  /** What happened between a backup and its restore is lost to the cashier. */
  lost: { readonly fromMs: number; readonly untilMs: number } | null = null
  /** When the cashier has said that a withdrawal is cancelled. */
  readonly cancelled = new Map<string, number>()
  /** The pseudonyms of erased users; a user may be erased more than once. */
  readonly erased = new Map<string, string[]>()
  readonly machines: MachineSlots
  readonly #chance: Chance
  readonly #onNote: WorldOptions['onNote']

  constructor({ plan, database, without, bug, onNote }: WorldOptions) {
    this.plan = plan
    this.ledgerMode = plan.settings.ledgerMode
    this.database = database
    this.bug = bug
    this.#onNote = onNote
    this.#chance = new Chance(`${plan.seed}|run`)
    const enabled = new Set(plan.faults)
    this.clock = new VirtualClock({ chance: this.#chance, settled: () => database.settled() })
    this.faults = new Faults({ seed: plan.seed, enabled, without, scale: plan.settings.faultScale })
    const shared = { clock: this.clock, faults: this.faults, note: (line: string) => this.note(line) }
    this.gateway = new ModelGateway({
      ...shared,
      habits: plan.settings.habits,
      onPayout: (payout) => this.onPayout(payout),
      onPurchase: (purchase) => this.onPurchase(purchase),
    })
    this.webhooks = new GatewayWebhooks({
      ...shared,
      gatewayNow: () => this.gateway.now(),
      deliver: (webhook) => this.#deliver(webhook),
      onViolation: (violation) => void this.violations.push(violation),
    })
    this.merchant = new ModelMerchant({
      ...shared,
      settings: plan.settings,
      decide: (id, decision) => void this.decide(id, decision),
    })
    this.gatewayNetwork = new GatewayNetwork({ ...shared, gateway: this.gateway, chance: this.#chance })
    const { settings } = plan
    this.machines = new MachineSlots({ ...shared, settings, chance: this.#chance, database, bug, place: this })
    const wire = this.gatewayNetwork.wire()
    useVirtualParts({
      clock: this.clock,
      chance: this.#chance,
      gateway: bug?.wire?.(wire, this) ?? wire,
      callMerchant: (machine, url, init) => this.merchant.call(machine, url, init),
    })
  }

  /** Set by `gateway-life.ts`. */
  onPayout: (payout: Movement) => void = () => undefined
  onPurchase: (purchase: Purchase) => void = () => undefined

  note(line: string): void {
    if (this.#onNote === null) return
    const seconds = ((this.clock.now() - Date.UTC(2026, 0, 5)) / 1000).toFixed(3)
    this.#onNote(`${seconds.padStart(10)} s  ${line}`)
  }

  /** Who kept the books: one of both, or both in turn. */
  get books(): LedgerMode | 'changed' {
    const { ledgerMode } = this.plan.settings
    return ledgerMode === this.ledgerMode ? ledgerMode : 'changed'
  }

  /** Whether it happened at a time that the cashier has lost. */
  isLost(atMs: number): boolean {
    return this.lost !== null && atMs >= this.lost.fromMs && atMs <= this.lost.untilMs
  }

  get instances(): readonly Instance[] {
    return this.machines.instances
  }

  /** Waits in virtual time. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ms, resolve))
  }

  /** Ends all faults: everything that was down starts again. */
  async calm(): Promise<void> {
    this.faults.over = true
    this.gatewayNetwork.away(0, false)
    this.machines.calm()
    // Machines that crashed come back by themselves; wait for them.
    await this.rest([6000, 5000, 21_000])
    this.machines.startMissing()
    await this.rest([5000])
  }

  /** Calls an instance over the network; `occasion` is the name of the call in fault names. */
  call<T>(
    work: (useCases: UseCases, instance: Instance) => Promise<T>,
    { timeoutMs = 30_000, occasion = '' } = {},
  ): Promise<CallOutcome<T>> {
    return new Promise((resolve) => {
      const up = this.instances
      const instance = up[this.#chance.between(0, Math.max(0, up.length - 1))]
      const lost = (): void => resolve({ kind: 'lost' })
      if (instance === undefined) {
        this.clock.after(1, lost)
        return
      }
      const timer = this.clock.after(timeoutMs, lost)
      const answer = (outcome: CallOutcome<T>): void => {
        if (occasion !== '' && this.faults.happens('page_lost', `answer ${occasion}`)) return
        this.clock.after(this.#chance.between(1, 40), () => {
          timer.cancelled = true
          resolve(outcome)
        })
      }
      if (occasion !== '' && this.faults.happens('page_lost', `request ${occasion}`)) return
      const { machine } = instance
      const begin = (): void => {
        if (!machine.alive) return
        machine
          .run(() => work(instance.useCases, instance))
          .then(
            (value) => answer({ kind: 'value', value }),
            (error: unknown) => answer(this.#problemOf(error)),
          )
      }
      this.clock.after(this.#chance.between(1, 40), () => machine.whenAwake(begin))
    })
  }

  #problemOf(error: unknown): CallOutcome<never> {
    if (error instanceof Problem) {
      const { withdrawal_id } = error.extras
      return { kind: 'problem', code: error.code, withdrawalId: withdrawal_id ?? null }
    }
    this.note(`an instance answers 500: ${error instanceof Error ? error.message : String(error)}`)
    return { kind: 'problem', code: 'internal', withdrawalId: null }
  }

  async #deliver(webhook: SignedWebhook): Promise<WebhookReply> {
    const outcome = await this.call((useCases, { machine }) => {
      const awakeMs = (): number => this.clock.now() - this.clock.sleptMs
      const [sentMs, freezes] = [awakeMs(), machine.freezes]
      return useCases.receiveWebhook(webhook).finally(() => {
        const seconds = (awakeMs() - sentMs) / 1000
        if (machine.freezes === freezes && seconds > LONGEST_WEBHOOK_S)
          this.violations.push(
            `frozen: ${machine.name} answered a webhook after ${seconds} s: another one had its locks`,
          )
      })
    })
    if (outcome.kind === 'lost') return null
    if (outcome.kind === 'problem') return { status: 503, duplicate: false }
    const { value } = outcome
    return value.status === 200 ? value : { status: value.status, duplicate: false }
  }

  async decide(id: string, decision: 'approve' | 'decline'): Promise<void> {
    const outcome = await this.call((useCases) => useCases.decideWithdrawal(id, { decision }, 'merchant'))
    this.note(
      `the merchant decides ${decision} about ${id}: ${outcome.kind === 'problem' ? outcome.code : outcome.kind}`,
    )
    if (outcome.kind === 'problem' && !MAY_HAVE_COUNTED.includes(outcome.code)) return
    // If the answer was lost, or the store went away, the decision may still have counted.
    const made = this.merchant.decisions.get(id) ?? new Set()
    this.merchant.decisions.set(id, made.add(decision))
  }

  async cancel(session: CashierSession, id: string): Promise<void> {
    const outcome = await this.call((useCases) => useCases.cancelWithdrawal(session, id), { occasion: `cancel ${id}` })
    this.note(`a user cancels ${id}: ${outcome.kind === 'problem' ? outcome.code : outcome.kind}`)
    if (outcome.kind === 'value') this.cancelled.set(id, this.clock.now())
  }

  /** A UUID that is unique to this world. */
  uuid(name: string): string {
    return uuidOf(`${this.plan.seed}|${name}`)
  }

  /** Lets time pass while the machines are awake. While nothing happens for long, their timers are some seconds late. */
  async stayAwake(untilMs: number): Promise<void> {
    const beganMs = this.clock.now()
    const isCalm = (): boolean =>
      this.clock.now() - Math.max(beganMs, this.gatewayNetwork.calledMs - CALM_MS + LATE_MS) > CALM_MS
    while (untilMs - this.clock.now() > CALM_MS)
      if (isCalm()) await this.clock.sleep(LATE_MS)
      else await this.clock.runUntil(this.clock.now() + LATE_MS)
    await this.clock.runUntil(untilMs)
  }

  /** Lets time pass, first in short and then in longer steps. After each step all due work is done. */
  async rest(steps: readonly number[]): Promise<void> {
    for (const ms of steps) {
      await this.clock.sleep(ms)
      // Jobs with open questions continue until they have asked all of them.
      const untilMs = this.clock.now() + LONGEST_ROUNDS_MS
      do await this.clock.runUntil(this.clock.now() + JOB_PAUSE_MS)
      while (this.clock.now() - this.gatewayNetwork.calledMs < JOB_PAUSE_MS && this.clock.now() < untilMs)
    }
  }
}
