/** Searches for the shortest history that still fails: first with fewer actions, then with fewer faults. */
import type { Plan } from './plan.ts'
import type { RunResult } from './run-world.ts'

export interface Shortened {
  readonly plan: Plan
  /** Faults that the failure does not need. */
  readonly without: ReadonlySet<string>
  readonly runs: number
}

export type TryRun = (plan: Plan, without: ReadonlySet<string>) => Promise<RunResult>

/** The text of a violation without the names and numbers of one run. */
const kindOf = (violation: string): string => violation.replaceAll(/[0-9a-f-]{8,}|\d+/g, '#')

/** Leaves out parts of a list while `fails` holds: halves first, single ones at the end. */
async function leaveOut<T>(list: readonly T[], fails: (kept: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let kept = list
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < kept.length;) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)]
      if (await fails(fewer)) kept = fewer
      else at += size
    }
  return kept
}

/** Repeats the run with fewer and fewer parts, for at most `longestMs`. */
export async function shorten(plan: Plan, first: RunResult, tryRun: TryRun, longestMs = 60_000): Promise<Shortened> {
  const kinds = new Set(first.violations.map(kindOf))
  const endMs = performance.now() + longestMs
  let runs = 0
  const stillFails = async (candidate: Plan, without: ReadonlySet<string>): Promise<RunResult | null> => {
    if (performance.now() > endMs) return null
    runs += 1
    const result = await tryRun(candidate, without)
    return result.violations.some((violation) => kinds.has(kindOf(violation))) ? result : null
  }
  const actions = await leaveOut(
    plan.actions,
    async (kept) => (await stillFails({ ...plan, actions: kept }, new Set())) !== null,
  )
  const fewer = { ...plan, actions }
  const happened = (await stillFails(fewer, new Set()))?.faults ?? first.faults
  const needed = await leaveOut(happened, async (kept) => {
    const without = new Set(happened.filter((name) => !kept.includes(name)))
    return (await stillFails(fewer, without)) !== null
  })
  return { plan: fewer, without: new Set(happened.filter((name) => !needed.includes(name))), runs }
}
