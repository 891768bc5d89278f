/** Searches scenes with all their perturbations. */
import { perturbationsOf } from './perturbations.ts'
import type { Cashier, State } from './port.ts'
import { search, Steps, type Found, type Searched } from './search.ts'
import type { HistoryScene } from './story.ts'

export interface FoundIn extends Found {
  readonly scene: string
  readonly perturbation: string
}

export interface Report {
  /** How many orders of messages, of all scenes with all perturbations. */
  histories: number
  /** How many scenes, each changed once. */
  perturbations: number
  /** How many different states, with the messages that are still to come. */
  states: number
  /** How many messages and reads the rules had to apply. */
  steps: number
  readonly found: FoundIn[]
}

/** Scenes whose messages are read alike, and of which the same is true, have the same histories. */
const signatureOf = <S extends State>(
  cashier: Cashier<S>,
  { messages, arrivals, departures, calm }: HistoryScene,
): string =>
  JSON.stringify([
    messages.map(({ name, after, what, late, later }) => [
      name,
      after,
      cashier.reading(what),
      late,
      later && cashier.reading({ kind: 'listed', record: later }),
    ]),
    arrivals,
    departures,
    calm,
  ])

export function searchScenes<S extends State>(scenes: readonly HistoryScene[], cashier: Cashier<S>): Report {
  const report: Report = { histories: 0, perturbations: 0, states: 0, steps: 0, found: [] }
  for (const scene of scenes) {
    const start = cashier.start(scene)
    const steps = new Steps<S>()
    const known = new Map<string, Searched>()
    for (const { name, scene: perturbed } of perturbationsOf(scene)) {
      const signature = signatureOf(cashier, perturbed)
      const searched = known.get(signature) ?? search(cashier, perturbed, start, steps)
      if (!known.has(signature)) report.states += searched.states
      known.set(signature, searched)
      report.histories += searched.histories
      report.perturbations += 1
      report.found.push(...searched.found.map((one) => ({ ...one, scene: scene.name, perturbation: name })))
    }
    report.steps += steps.made
  }
  return report
}

/** The first history of each clause and scene; one mistake may show in thousands. */
export const summaryOf = ({ found }: Report): readonly string[] =>
  [...Map.groupBy(found, ({ clause, scene }) => `${clause}: ${scene}`)].map(([what, all]) => {
    const [first] = all
    const example = first && `${first.perturbation} | ${first.detail} | ${first.history.join(' > ')}`
    return `${what} | ${String(all.length)} perturbations, such as ${String(example)}`
  })
