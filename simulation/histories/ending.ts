/**
 * The end of each history: what was late arrives, the list is read whole, the deadlines pass, and the books are
 * compared.
 */
import type { Books, Cashier, State, WholeRead } from './port.ts'
import type { Late, Message, HistoryScene } from './story.ts'
import { START_MS, toWire } from './wire.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The messages of a scene, without those of withdrawals that were never sent. */
export function toldOf({ messages }: HistoryScene, { withdrawals }: Books): readonly Message[] {
  const sent = new Set(withdrawals.map(({ id }) => id))
  return messages.filter(({ ifSent }) => ifSent === undefined || sent.has(ifSent))
}

const REACHED: Readonly<Record<Late, number>> = { 'first-scan': 1, 'second-scan': 2, overdue: 3 }

/** The records of the whole list when this many stages have passed. */
export function wholeListOf({ vanished }: HistoryScene, told: readonly Message[], stage: number): readonly string[] {
  const last = new Map<string, string>()
  for (const { what, entry, late, later } of told)
    if (what.kind === 'listed' && entry !== undefined && (late === undefined || REACHED[late] <= stage))
      last.set(entry, toWire(later ?? what.record))
  if (stage > 0) for (const entry of vanished) last.delete(entry)
  return [...last.values()]
}

/** One step of a history. Two steps with the same name do the same. */
export interface Step<S> {
  readonly name: string
  readonly work: (state: S) => S
}

export interface EndingStep<S> extends Step<S> {
  /** What it tells: events, or the records of the user's whole list. */
  readonly told: readonly string[]
}

/** Lets everything come to rest. */
export function endingOf<S extends State>(
  cashier: Cashier<S>,
  scene: HistoryScene,
  told: readonly Message[],
): readonly EndingStep<S>[] {
  const webhooks = (late: Late | undefined, at: number): readonly EndingStep<S>[] => {
    const bodies = told.flatMap(({ what, ...message }) =>
      what.kind === 'webhook' && message.late === late ? [toWire(what.body)] : [],
    )
    const work = (state: S): S => cashier.webhooks(state, START_MS + at, bodies)
    return bodies.length === 0 ? [] : [{ name: `${String(at)} ${bodies.join()}`, work, told: bodies }]
  }
  const reads: WholeRead[] = []
  const whole = (stage: number, at: number): EndingStep<S> => {
    const records = wholeListOf(scene, told, stage)
    reads.push({ at: START_MS + at, records })
    const work = (state: S): S => cashier.wholeList(state, START_MS + at, records)
    return { name: `${String(at)} ${records.join()}`, work, told: records }
  }
  const deadlines = (at: number): EndingStep<S> => {
    const before = [...reads]
    return {
      name: `${String(at)} deadlines ${before.map((read) => `${String(read.at)} ${read.records.join()}`).join()}`,
      work: (state) => cashier.deadlines(state, START_MS + at, before),
      told: [],
    }
  }
  const totals = (at: number): EndingStep<S> => {
    const records = wholeListOf(scene, told, 3)
    const work = (state: S): S => cashier.totals(state, START_MS + at, records)
    return { name: `${String(at)} totals ${records.join()}`, work, told: [] }
  }
  return [
    // The gateway sends everything again.
    ...webhooks(undefined, 10 * MINUTE),
    whole(0, HOUR + 2 * MINUTE),
    ...webhooks('first-scan', HOUR + 3 * MINUTE),
    whole(1, HOUR + 4 * MINUTE),
    whole(1, HOUR + 6 * MINUTE),
    ...webhooks('second-scan', 3 * HOUR),
    whole(2, 3 * HOUR + MINUTE),
    whole(2, 25 * HOUR),
    deadlines(25 * HOUR),
    ...webhooks('overdue', 26 * HOUR),
    whole(3, 26 * HOUR + MINUTE),
    deadlines(52 * HOUR),
    whole(3, 8 * DAY),
    deadlines(8 * DAY),
    totals(8 * DAY),
  ]
}
