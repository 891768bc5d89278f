import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AskSandbox } from '../commands/control-client.ts'
import { ControlRefusal, SandboxAwayError } from '../commands/control-client.ts'
import { runTrigger } from '../commands/run-trigger.ts'
import { answerOf, readWebhooks } from '../commands/webhook-log.ts'
import type { Delivery, WebhookLog } from '../commands/webhook-log.ts'
import { eventSummary } from '../control/event-summary.ts'
import { modesSchema } from '../state/modes.ts'
import type { Scene, SceneStep, StepOf } from './scene.ts'

/** A step did not end as the scene expects. */
export class StepError extends Error {}

export interface SceneRun {
  readonly ask: AskSandbox
  readonly user: string
  readonly print: (line: string) => void
  readonly stop: AbortSignal
}

const POLL_MS = 50
const RESTART_WAIT_MS = 30_000
const ALL = 100_000

const stateSchema = z.looseObject({ restarts: z.number() })
const faultSchema = z.object({ fault: z.looseObject({ id: z.number() }) })
const callsSchema = z.object({
  calls: z.array(
    z.looseObject({
      id: z.number(),
      committed: z.boolean(),
      transaction_uuid: z.string().nullable(),
      response_status: z.number().nullable(),
      /** Null while it runs. */
      took_ms: z.number().nullable(),
    }),
  ),
})

/** What the steps of a run have made, and what its end undoes. */
class Stage {
  readonly run: SceneRun
  readonly subjects = new Map<string, string>()
  /** The transaction of the newest step that has one. */
  subject = ''
  readonly faults: number[] = []
  /** Modes as they were, for those that the scene changed. */
  before: Readonly<Record<string, unknown>> = {}
  /** The newest call of each operation before the scene. */
  readonly calls = new Map<string, number>()

  constructor(run: SceneRun) {
    this.run = run
  }

  name(as: string | undefined, uuid: string): void {
    this.subject = uuid
    if (as !== undefined) this.subjects.set(as, uuid)
  }

  uuidOf(of: string | undefined): string {
    return of === undefined ? this.subject : (this.subjects.get(of) ?? '')
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.run.stop }).catch(() => undefined)
    if (this.run.stop.aborted) throw new StepError('stopped')
  }

  /** Repeats `look` until it finds something. @throws StepError with `missing` after the time */
  async until<T>(withinMs: number, look: () => Promise<T | null>, missing: () => string): Promise<T> {
    const end = Date.now() + withinMs
    for (;;) {
      const found = await look()
      if (found !== null) return found
      if (Date.now() >= end) throw new StepError(missing())
      await this.pause(POLL_MS)
    }
  }

  async remember(names: readonly string[]): Promise<void> {
    const modes: Readonly<Record<string, unknown>> = modesSchema.parse(await this.run.ask('GET', '/modes'))
    this.before = { ...Object.fromEntries(names.map((name) => [name, modes[name]])), ...this.before }
  }
}

const ACCEPTED = {
  '2xx': ({ response_status: status }: Delivery) => status !== null && status >= 200 && status < 300,
  any: ({ response_status: status }: Delivery) => status !== null,
  none: ({ response_status: status }: Delivery) => status === null,
} as const

const amountOf = ({ body }: WebhookLog): string => eventSummary(body).what.split(' ')[0] ?? ''

async function expectWebhook(step: StepOf<'expect_webhook'>, stage: Stage): Promise<string> {
  const { event, status, amount, answer, times } = step
  const transaction_uuid = stage.uuidOf(step.of)
  let seen: readonly WebhookLog[] = []
  const isExpected = (webhook: WebhookLog): boolean =>
    (event === undefined || webhook.event === event) &&
    (status === undefined || webhook.status === status) &&
    (amount === undefined || amountOf(webhook) === amount)
  const isAnswered = (delivery: Delivery): boolean =>
    typeof answer === 'number' ? delivery.response_status === answer : ACCEPTED[answer](delivery)
  const found = await stage.until(
    step.within_ms,
    async () => {
      seen = (await readWebhooks(stage.run.ask, { transaction_uuid })).toReversed()
      const deliveries = seen.filter(isExpected).flatMap(({ log }) => log.filter(isAnswered))
      return deliveries.length >= times ? deliveries : null
    },
    () => {
      const came = seen.map(
        (webhook) =>
          `${webhook.event} ${webhook.status} of ${amountOf(webhook)} (${webhook.log.map(answerOf).join('; ') || webhook.state})`,
      )
      return `expected ${String(times)} with the answer ${String(answer)} within ${String(step.within_ms)} ms; there was ${came.join(', ') || 'none'}`
    },
  )
  return found.map(answerOf).join('; ')
}

const callsOf = async (operation: string, { ask, user }: SceneRun, after: number) => {
  const search = new URLSearchParams({ operation, user_reference: user, after: String(after), limit: String(ALL) })
  return callsSchema.parse(await ask('GET', `/calls?${search.toString()}`)).calls
}

async function expectCall(step: StepOf<'expect_call'>, stage: Stage): Promise<string> {
  const { operation, committed, times } = step
  let seen = 0
  const found = await stage.until(
    step.within_ms,
    async () => {
      const calls = await callsOf(operation, stage.run, stage.calls.get(operation) ?? 0)
      seen = calls.length
      const ended = calls.filter(
        (call) => call.took_ms !== null && (committed === undefined || call.committed === committed),
      )
      return ended.length >= times ? ended : null
    },
    () =>
      `expected ${String(times)} within ${String(step.within_ms)} ms; there were ${String(seen)} of ${stage.run.user}`,
  )
  const uuid = found.findLast(({ transaction_uuid }) => transaction_uuid !== null)?.transaction_uuid
  if (uuid) stage.name(step.as, uuid)
  else if (step.as !== undefined) throw new StepError('the call made no transaction')
  const statuses = found.map(({ response_status }) => response_status ?? 'no answer')
  return `${operation} answered ${statuses.join(', ')}`
}

async function restart({ down_ms }: StepOf<'restart'>, stage: Stage): Promise<string> {
  const { ask } = stage.run
  const { restarts } = stateSchema.parse(await ask('POST', '/restart', { down_ms }))
  await stage.until(
    down_ms + RESTART_WAIT_MS,
    async () => {
      try {
        return stateSchema.parse(await ask('GET', '/state')).restarts > restarts ? true : null
      } catch (error) {
        if (error instanceof SandboxAwayError) return null
        throw error
      }
    },
    () => 'the sandbox did not come back',
  )
  return `away for ${String(down_ms)} ms`
}

/** Each kind of step; resolves with what it did. */
const PLAY: { readonly [Name in SceneStep['do']]: (step: StepOf<Name>, stage: Stage) => Promise<string> } = {
  async wait({ ms }, stage) {
    await stage.pause(ms)
    return `${String(ms)} ms`
  },
  async trigger({ do: _do, note: _note, event, of, as, ...input }, stage) {
    const { ask, user } = stage.run
    const subject = of === undefined ? { user, ...input } : { ...input, id: stage.uuidOf(of) }
    const { kind, uuid, made, what } = await runTrigger(ask, event, subject)
    stage.name(as, uuid)
    return `${event}: ${made ? 'made' : 'moved'} ${kind} ${uuid} (${what})`
  },
  async set_fault({ target, kind, times, match, settings }, stage) {
    const own = target === 'currencies' ? {} : { user_reference: stage.run.user }
    const body = { target, kind, times, match: match ?? own, settings }
    const { fault } = faultSchema.parse(await stage.run.ask('POST', '/faults', body))
    stage.faults.push(fault.id)
    return `${target} ${kind}`
  },
  async clear_faults(_step, stage) {
    await clearFaults(stage)
    return 'removed'
  },
  async set_modes({ modes }, stage) {
    await stage.remember(Object.keys(modes))
    await stage.run.ask('PATCH', '/modes', modes)
    return JSON.stringify(modes)
  },
  async advance_clock({ ms }, stage) {
    await stage.remember(['clock_offset_ms'])
    await stage.run.ask('POST', '/clock', { advance_ms: ms })
    return `by ${String(ms)} ms`
  },
  restart,
  expect_webhook: expectWebhook,
  expect_call: expectCall,
}

async function clearFaults(stage: Stage): Promise<void> {
  for (const id of stage.faults.splice(0)) {
    await stage.run.ask('DELETE', `/faults/${String(id)}`).catch((error: unknown) => {
      // A reset has removed it.
      if (!(error instanceof ControlRefusal)) throw error
    })
  }
}

async function undo(stage: Stage): Promise<void> {
  await clearFaults(stage)
  if (Object.keys(stage.before).length > 0) await stage.run.ask('PATCH', '/modes', stage.before)
}

/**
 * Plays the steps in order, and removes its faults and restores modes and clock at the end.
 * @throws StepError with the step's number, ControlRefusal or SandboxAwayError
 */
export async function runScene(scene: Scene, run: SceneRun): Promise<void> {
  const stage = new Stage(run)
  for (const step of scene.steps)
    if (step.do === 'expect_call')
      stage.calls.set(step.operation, (await callsOf(step.operation, run, 0)).at(-1)?.id ?? 0)
  try {
    for (const [at, step] of scene.steps.entries()) {
      if (step.note !== undefined) run.print(`      ${step.note}`)
      try {
        const play = PLAY[step.do] as (step: SceneStep, stage: Stage) => Promise<string>
        run.print(`${String(at + 1).padStart(4)}  ${step.do}: ${await play(step, stage)}`)
      } catch (error) {
        if (!(error instanceof StepError) && !(error instanceof ControlRefusal)) throw error
        throw new StepError(`step ${String(at + 1)} (${step.do}): ${error.message}`, { cause: error })
      }
    }
  } finally {
    await undo(stage)
  }
}
