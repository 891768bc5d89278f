/** Searches scenes with all their perturbations. */
import { perturbationsOf } from './perturbations.ts'
import type { Cashier, State } from './port.ts'
import { search, Steps, type Found, type Searched } from './search.ts'
import type { HistoryScene } from './story.ts'

interface FoundIn extends Found {
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

interface PerturbedSearch extends Searched {
  readonly perturbation: string
  /** A perturbation that is read alike was searched before. */
  readonly repeated: boolean
  /** How many messages and reads the rules had to apply. */
  readonly steps: number
}

/** Searches a scene with one perturbation after the other. */
export function* searchesOf<S extends State>(scene: HistoryScene, cashier: Cashier<S>): Generator<PerturbedSearch> {
  const start = cashier.start(scene)
  const steps = new Steps<S>()
  const known = new Map<string, Searched>()
  for (const { name: perturbation, scene: perturbed } of perturbationsOf(scene)) {
    const made = steps.made
    const signature = signatureOf(cashier, perturbed)
    const before = known.get(signature)
    const searched = before ?? search(cashier, perturbed, start, steps)
    known.set(signature, searched)
    yield { ...searched, perturbation, repeated: before !== undefined, steps: steps.made - made }
  }
}

export function searchScenes<S extends State>(scenes: readonly HistoryScene[], cashier: Cashier<S>): Report {
  const report: Report = { histories: 0, perturbations: 0, states: 0, steps: 0, found: [] }
  for (const scene of scenes)
    for (const { perturbation, histories, states, steps, found, repeated } of searchesOf(scene, cashier)) {
      if (!repeated) report.states += states
      report.histories += histories
      report.perturbations += 1
      report.steps += steps
      report.found.push(...found.map((one) => ({ ...one, scene: scene.name, perturbation })))
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
