/**
 * Every order of the messages of a scene. Two orders that lead to the same messages delivered and the same state have
 * the same future, so that future is searched once; the number of histories is the number of paths.
 */
import { endingOf, toldOf, type EndingStep, type Step } from './ending.ts'
import { releaseViolations, violationsOf, type Violation } from './oracle.ts'
import { settleAll } from './person.ts'
import type { Cashier, State } from './port.ts'
import type { Message, HistoryScene } from './story.ts'
import { NOW_MS, toWire } from './wire.ts'

export interface Found extends Violation {
  /** The names of the messages, in their order. */
  readonly history: readonly string[]
}

export interface Searched {
  /** How many orders of the messages. */
  readonly histories: number
  /** How many different states were reached, and from which a message was delivered. */
  readonly states: number
  readonly found: readonly Found[]
}

/** What each step makes of each state, for all searches that begin with the same state. */
export class Steps<S extends State> {
  readonly #numbers = new Map<string, number>()
  readonly #after = new Map<number, Map<number, S>>()
  /** How many were not known before. */
  made = 0

  /** The step, with what it made of each state remembered. */
  remembered({ name, work }: Step<S>): (state: S) => S {
    const number = this.#numbers.get(name) ?? this.#numbers.size
    this.#numbers.set(name, number)
    const known = this.#after.get(number) ?? new Map<number, S>()
    this.#after.set(number, known)
    return (state) => {
      const before = known.get(state.id)
      if (before !== undefined) return before
      this.made += 1
      const after = work(state)
      known.set(state.id, after)
      return after
    }
  }
}

/** The messages of a withdrawal that was not sent do not exist. */
const unsentMask = (messages: readonly Message[], withdrawal: string): number =>
  messages.reduce((mask, { ifSent }, index) => (ifSent === withdrawal ? mask | (1 << index) : mask), 0)

/** The delivery of a message. */
function deliveryOf<S extends State>(cashier: Cashier<S>, { what }: Message): Step<S> {
  switch (what.kind) {
    case 'request':
      return { name: `request ${what.withdrawal.id}`, work: (state) => cashier.request(state, NOW_MS, what.withdrawal) }
    case 'reply':
      return {
        name: `reply ${JSON.stringify(what)}`,
        work: (state) => cashier.reply(state, NOW_MS, what.withdrawal, what.reply, what.clockOffsetMs),
      }
    case 'webhook': {
      const body = toWire(what.body)
      return { name: `webhook ${body}`, work: (state) => cashier.webhooks(state, NOW_MS, [body]) }
    }
    case 'listed': {
      const record = toWire(what.record)
      return { name: `list ${record}`, work: (state) => cashier.list(state, NOW_MS, [record]) }
    }
  }
}

/** The event or record. */
const textOf = ({ what }: Message): readonly string[] =>
  what.kind === 'webhook' ? [toWire(what.body)] : what.kind === 'listed' ? [toWire(what.record)] : []

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Searches all histories of a scene from this state. */
export function search<S extends State>(cashier: Cashier<S>, scene: HistoryScene, start: S, steps: Steps<S>): Searched {
  const messages = scene.messages.filter(({ late }) => late === undefined)
  const bit = new Map(messages.map(({ name }, index) => [name, 1 << index]))
  const before = messages.map(({ after }) => after.reduce((mask, name) => mask | (bit.get(name) ?? 0), 0))
  const all = (1 << messages.length) - 1
  const counts = new Map<string, number>()
  const ends = new Set<number>()
  const found = new Map<string, Found>()
  const path: string[] = []
  const deliveries = messages.map((message) => steps.remembered(deliveryOf(cashier, message)))
  const endings = new Map<string, readonly EndingStep<S>[]>()
  /** The ending of a history in which these messages exist. */
  const endingFrom = (state: S): readonly EndingStep<S>[] => {
    const told = toldOf(scene, cashier.books(state))
    const names = told.map(({ name }) => name).join()
    const known = endings.get(names)
    if (known !== undefined) return known
    const ending = endingOf(cashier, scene, told).map((step) => ({ ...step, work: steps.remembered(step) }))
    endings.set(names, ending)
    return ending
  }

  const report = (violation: Violation): void => {
    if (!found.has(violation.clause)) found.set(violation.clause, { ...violation, history: [...path] })
  }
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work()
    } catch (error) {
      report({ clause: 'throws', detail: errorText(error) })
      return null
    }
  }
  const finish = (state: S): void => {
    if (ends.has(state.id)) return
    ends.add(state.id)
    const told = messages.flatMap(textOf)
    const take = (before: S, step: EndingStep<S>): S => {
      const after = step.work(before)
      told.push(...step.told)
      if (after === before) return after
      for (const violation of releaseViolations(scene, told, cashier.books(before), cashier.books(after)))
        report(violation)
      return after
    }
    const end = attempt(() => endingFrom(state).reduce(take, state))
    if (end === null) return
    for (const violation of violationsOf(scene, cashier.books(end))) report(violation)
    for (const violation of attempt(() => settleAll(cashier, scene, end)) ?? []) report(violation)
  }
  /** True if this request must be refused: the same withdrawal is under way, or uncertain. */
  const isTwin = (state: S, { what }: Message): boolean => {
    if (what.kind !== 'request') return false
    const { amount, to } = what.withdrawal
    const alike = scene.messages.flatMap((one) =>
      one.what.kind === 'request' && one.what.withdrawal.amount === amount && one.what.withdrawal.to === to
        ? [one.what.withdrawal.id]
        : [],
    )
    return cashier.books(state).withdrawals.some(({ id, uncertain }) => uncertain && alike.includes(id))
  }

  const visit = (mask: number, state: S): number => {
    if (mask === all) {
      finish(state)
      return 1
    }
    const key = `${String(mask)} ${String(state.id)}`
    const known = counts.get(key)
    if (known !== undefined) return known
    let count = 0
    messages.forEach((message, index) => {
      const own = 1 << index
      if ((mask & own) !== 0 || ((before[index] ?? 0) & ~mask) !== 0) return
      path.push(message.name)
      const after = attempt(() => deliveries[index]?.(state) ?? null)
      if (after === null) count += 1
      else {
        const { what } = message
        const isRefused =
          what.kind === 'request' && !cashier.books(after).withdrawals.some(({ id }) => id === what.withdrawal.id)
        if (what.kind === 'request' && !isRefused && isTwin(state, message))
          report({ clause: 'twin', detail: `${what.withdrawal.id} was sent while the same withdrawal was uncertain` })
        const missing = isRefused ? unsentMask(messages, what.withdrawal.id) : 0
        count += visit(mask | own | missing, after)
      }
      path.pop()
    })
    counts.set(key, count)
    return count
  }

  const histories = visit(0, start)
  return { histories, states: counts.size + ends.size, found: [...found.values()] }
}
