/** Runs a scenario step by step. A run is plain data, so that it survives a reload of the page. */
import { SCENARIOS } from './scenarios.ts'
import type { PersonStep, Scenario, ScenarioCall, Step } from './scenarios.ts'

export interface ScenarioRun {
  readonly id: string
  readonly scenario: string
  readonly user: string
  /** Number of completed steps. */
  readonly done: number
  /** The transaction or session of the earlier steps, for the paths of the later steps. */
  readonly uuid: string
  /** The state when the run began to wait; null while it does not wait. */
  readonly seen: string | null
  /** Why a step failed. The run stays there. */
  readonly fault: string | null
}

/** Calls the control API; `path` is below `/control`. @throws Error with the messages of a refusal */
export type ControlCall = (method: 'GET' | ScenarioCall['method'], path: string, body?: unknown) => Promise<unknown>

export const scenarioOf = ({ scenario }: Pick<ScenarioRun, 'scenario'>): Scenario => {
  const found = SCENARIOS.find(({ name }) => name === scenario)
  if (!found) throw new RangeError(`no scenario ${scenario}`)
  return found
}

/** The next step; null after the last step. */
export const nextStep = (run: ScenarioRun): Step | null => scenarioOf(run).steps[run.done] ?? null

/** @param id a new id; it is also part of the user name in a scenario for a stranger */
export const startRun = ({ name, stranger }: Scenario, user: string, id: string): ScenarioRun => ({
  id,
  scenario: name,
  user: stranger === true ? `stranger-${id}` : user,
  done: 0,
  uuid: '',
  seen: null,
  fault: null,
})

export const after = (run: ScenarioRun, uuid = run.uuid): ScenarioRun => ({
  ...run,
  done: run.done + 1,
  uuid,
  seen: null,
})

async function make(
  run: ScenarioRun,
  { method, path, body = {} }: ScenarioCall,
  control: ControlCall,
): Promise<string> {
  const made = (await control(
    method,
    path.replace(/:uuid|:session/, run.uuid),
    JSON.parse(JSON.stringify(body).replaceAll('"USER"', JSON.stringify(run.user))),
  )) as { transaction?: { transaction_uuid?: string } }
  return made.transaction?.transaction_uuid ?? run.uuid
}

interface Noticed {
  /** The current state, for a later comparison. */
  readonly now: string
  /** What is new since `seen`, with its transaction or session if it has one; null if nothing is new. */
  readonly news: { readonly uuid?: string } | null
}

interface SeenCall {
  readonly id: number
  readonly transaction_uuid: string | null
  readonly response_status: number | null
  readonly took_ms: number | null
}

async function callsSince(run: ScenarioRun, operation: string, control: ControlCall): Promise<readonly SeenCall[]> {
  const search = new URLSearchParams({
    operation,
    user_reference: run.user,
    after: run.seen ?? '0',
    limit: '100000',
  }).toString()
  return ((await control('GET', `/calls?${search}`)) as { calls: readonly SeenCall[] }).calls
}

/** Detects that a person has done a step. `after` reports a press. */
const NOTICE: Readonly<Record<PersonStep, (run: ScenarioRun, control: ControlCall) => Promise<Noticed>>> = {
  async withdraw(run, control) {
    const calls = await callsSince(run, 'withdraw', control)
    // A running call has not created its transaction yet.
    const ended = calls.find(({ took_ms }) => took_ms !== null)
    const uuid = ended?.transaction_uuid ?? run.uuid
    return { now: String(calls.at(-1)?.id ?? 0), news: ended ? { uuid } : null }
  },
  async buy(run, control) {
    const search = new URLSearchParams({ user_reference: run.user, limit: '1' }).toString()
    const { sessions } = (await control('GET', `/onramp-sessions?${search}`)) as {
      sessions: readonly { uuid: string }[]
    }
    const uuid = sessions[0]?.uuid ?? 'none'
    return { now: uuid, news: uuid === run.seen ? null : { uuid } }
  },
  press: () => Promise.resolve({ now: '', news: null }),
}

const READINGS = 2

async function noticeReadings(run: ScenarioRun, control: ControlCall): Promise<Noticed> {
  const calls = await callsSince(run, 'user_transactions', control)
  const answered = calls.filter(({ response_status }) => response_status === 200)
  return { now: String(calls.at(-1)?.id ?? 0), news: answered.length >= READINGS ? {} : null }
}

/** The first check records what exists already. Anything new after that is the person's step. */
async function waitFor(run: ScenarioRun, notice: (run: ScenarioRun) => Promise<Noticed>): Promise<ScenarioRun> {
  const { now, news } = await notice(run)
  if (run.seen === null) return { ...run, seen: now }
  return news === null ? run : after(run, news.uuid)
}

interface SentWebhook {
  readonly state: string
  readonly body: string
}

async function sendChanged(run: ScenarioRun, from: RegExp, to: string, control: ControlCall): Promise<ScenarioRun> {
  const { webhooks } = (await control('GET', `/webhooks?transaction_uuid=${encodeURIComponent(run.uuid)}`)) as {
    webhooks: readonly SentWebhook[]
  }
  const [newest] = webhooks
  if (!newest || webhooks.some(({ state }) => state === 'queued' || state === 'held')) return run
  const raw = newest.body.replace(from, to)
  if (raw === newest.body) throw new Error('the event has nothing to change')
  await control('POST', '/webhooks/send', { raw })
  return after(run)
}

/** Makes the next step if possible, or returns the same run if it must wait. @throws Error of a refusal */
export async function advance(run: ScenarioRun, control: ControlCall): Promise<ScenarioRun> {
  const step = nextStep(run)
  switch (step?.kind) {
    case undefined:
      return run
    case 'call':
      return after(run, await make(run, step.call, control))
    case 'person':
      return waitFor(run, (waiting) => NOTICE[step.step](waiting, control))
    case 'listed':
      return waitFor(run, (waiting) => noticeReadings(waiting, control))
    case 'changed':
      return sendChanged(run, step.from, step.to, control)
  }
}

/** Undoes lasting effects. */
export async function endRun(run: ScenarioRun, control: ControlCall): Promise<void> {
  for (const call of scenarioOf(run).ends) await make(run, call, control)
}
