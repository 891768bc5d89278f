import { advance, after, endRun, nextStep, scenarioOf, startRun } from '../../scenarios/run-scenario.ts'
import type { ScenarioRun } from '../../scenarios/run-scenario.ts'
import { SCENARIOS } from '../../scenarios/scenarios.ts'
import type { Step } from '../../scenarios/scenarios.ts'
import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import { control } from './api.ts'
import { actionButton, choiceButton, linkTo } from './parts.ts'
import type { RunAction } from './run-action.ts'
import { subject } from './subject.ts'

const KEPT_AS = 'scenario-runs'

function kept(): readonly ScenarioRun[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '[]') as readonly ScenarioRun[]
  } catch {
    return []
  }
}

/** The runs, newest first. They survive a reload. */
let runs: readonly ScenarioRun[] = kept()

export const scenarioRuns = (): readonly ScenarioRun[] => runs

function keep(changed: readonly ScenarioRun[]): void {
  runs = changed
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(runs))
  } catch {
    // Without storage a reload loses the runs.
  }
}

const replace = (run: ScenarioRun): void => {
  keep(runs.map((one) => (one.id === run.id ? run : one)))
}

export const forgetRuns = (): void => {
  keep([])
}

/** Makes all steps that are possible now. */
async function carryOn(start: ScenarioRun): Promise<void> {
  let run = start
  try {
    for (let before = -1; before < run.done && nextStep(run) !== null;) {
      before = run.done
      run = await advance(run, control)
      replace(run)
    }
  } catch (error) {
    replace({ ...run, fault: error instanceof Error ? error.message : String(error) })
  }
}

async function carryAllOn(): Promise<void> {
  for (const { id } of runs) {
    // The run may have been changed or closed meanwhile.
    const run = runs.find((one) => one.id === id)
    if (run && run.fault === null && nextStep(run) !== null) await carryOn(run)
  }
}

let last = Promise.resolve()
let waiting = 0

/** Advances every waiting run. Passes run one at a time, so that no step is made twice. */
export function carryRunsOn(): Promise<void> {
  // A pass that has not started yet will see all changes.
  if (waiting === 0) {
    waiting += 1
    last = last.then(() => {
      waiting -= 1
      return carryAllOn()
    })
  }
  return last
}

const WAITING: Readonly<Record<Step['kind'], string>> = {
  call: 'In progress.',
  person: '',
  listed: 'Waiting until the cashier has read the list twice.',
  changed: 'Waiting until its events are sent.',
}

function runCard(run: ScenarioRun, { links }: Overview, act: RunAction): HTMLElement {
  const scenario = scenarioOf(run)
  const step = nextStep(run)
  const state = run.fault !== null ? 'bad' : step === null ? 'ok' : 'wait'
  const words = { bad: 'failed', ok: 'done', wait: step?.kind === 'person' ? 'your turn' : 'waiting' }[state]
  const close = (): void => {
    keep(runs.filter(({ id }) => id !== run.id))
  }
  const text =
    run.fault ??
    (step === null ? `What you see: ${scenario.see}.` : step.kind === 'person' ? step.ask : WAITING[step.kind])
  const money = { user_reference: run.user, currency: 'USDT', network: 'Tron', amount: '100', confirm: true }
  return element(
    'li',
    { class: 'item run', 'data-key': run.id },
    element(
      'div',
      { class: 'line' },
      element('b', {}, scenario.name),
      element('span', { class: `pill ${state}` }, words),
    ),
    element('p', { class: 'muted small' }, `For ${run.user}`),
    element('p', {}, text),
    element(
      'div',
      { class: 'buttons' },
      step?.kind === 'person' &&
        step.step === 'press' &&
        actionButton('Continue', () => act('Continued.', () => carryOnAfter(run)), 'primary'),
      step?.kind === 'person' && linkTo('Open the shop', links.shop, run.user),
      step?.kind === 'person' &&
        step.step === 'withdraw' &&
        actionButton('Give 100 USDT', () =>
          act(`${run.user} gets 100 USDT on Tron.`, () => control('POST', '/deposits', money)),
        ),
      scenario.ends.length > 0 &&
        actionButton('Undo', () =>
          act('Undone.', async () => {
            await endRun(run, control)
            close()
          }),
        ),
      actionButton('Close', () =>
        act('Closed.', () => {
          close()
          return Promise.resolve()
        }),
      ),
    ),
  )
}

function carryOnAfter(run: ScenarioRun): Promise<void> {
  replace(after(run))
  return carryRunsOn()
}

/** Works without a secure origin, unlike `crypto.randomUUID`. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(2)), (one) => one.toString(36)).join('')

export function scenariosPanel(overview: Overview, act: RunAction): Node {
  const start = (scenario: (typeof SCENARIOS)[number]): void => {
    const run = startRun(scenario, subject(), newId())
    act(`Started for ${run.user}: ${scenario.name}.`, () => {
      keep([run, ...runs])
      return carryRunsOn()
    })
  }
  const groups = [...new Set(SCENARIOS.map(({ group }) => group))]
  return element(
    'div',
    {},
    runs.length > 0 && element('ul', { class: 'items runs' }, ...runs.map((run) => runCard(run, overview, act))),
    element(
      'div',
      { class: 'groups' },
      ...groups.map((group) =>
        element(
          'div',
          { class: 'group' },
          element('h3', {}, group),
          element(
            'div',
            { class: 'choices' },
            ...SCENARIOS.filter((one) => one.group === group).map((one) =>
              choiceButton(one.name, one.see, () => {
                start(one)
              }),
            ),
          ),
        ),
      ),
    ),
  )
}
