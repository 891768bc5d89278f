/** Reads from the arguments which engines the engine tests run in. */
import { ENGINES, type EngineName } from '../e2e/engines/engine.ts'

export interface EngineRun {
  readonly projects: readonly EngineName[]
  /** Only the flows with the tag `@short`. */
  readonly short: boolean
  /** The arguments for Playwright. */
  readonly rest: readonly string[]
}

/** Without Chromium, which runs these flows among the other browser tests. */
const SHORT: readonly EngineName[] = ['firefox', 'webkit']

function engine(name: string): EngineName {
  const known = ENGINES.find((one) => one === name)
  if (known === undefined) throw new RangeError(`there is no engine ${name}; there are ${ENGINES.join(', ')}`)
  return known
}

/** @throws RangeError for a `--project` that is not an engine */
export function engineRun(args: readonly string[]): EngineRun {
  const named: EngineName[] = []
  const rest: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (arg === '--project') named.push(engine(args[(at += 1)] ?? ''))
    else if (arg.startsWith('--project=')) named.push(engine(arg.slice('--project='.length)))
    else if (arg !== '--short') rest.push(arg)
  }
  const short = args.includes('--short')
  return { projects: named.length > 0 ? named : short ? SHORT : ENGINES, short, rest }
}
