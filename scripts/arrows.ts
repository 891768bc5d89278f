/** Checks which room imports from which: `.dependency-cruiser.mjs` holds the rules and their reasons. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const cruiser = fileURLToPath(new URL('../node_modules/.bin/depcruise', import.meta.url))
const rules = fileURLToPath(new URL('../.dependency-cruiser.mjs', import.meta.url))
const rooms = ['app', 'bench', 'components', 'e2e', 'lib', 'scripts', 'server.ts']

const report = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string(), comment: z.string() })) }),
  }),
  modules: z.array(
    z.object({ source: z.string(), dependencies: z.array(z.object({ module: z.string(), resolved: z.string() })) }),
  ),
})

export interface Arrows {
  readonly modules: number
  /** Imports from room to room (`#lib/…`, `#components/…`) that were followed to a file. */
  readonly crossings: number
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[]
  /** Why each rule is there, by name. */
  readonly reasons: ReadonlyMap<string, string>
}

/** Reads every import below `folder`, which has the shape of this project. */
export async function cruise(folder: string): Promise<Arrows> {
  const there = rooms.filter((room) => existsSync(join(folder, room)))
  const args = [cruiser, '--config', rules, '--output-type', 'json', ...there]
  const text = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) => {
      // The exit code tells the number of violations, so only an empty answer is a failure.
      if (stdout === '') reject(new Error(stderr))
      else resolve(stdout)
    })
  })
  const { summary, modules } = report.parse(JSON.parse(text))
  const crossings = modules
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ module, resolved }) => module.startsWith('#') && existsSync(join(folder, resolved)))
  return {
    modules: summary.totalCruised,
    crossings: crossings.length,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    reasons: new Map(summary.ruleSetUsed.forbidden.map(({ name, comment }) => [name, comment])),
  }
}

if (import.meta.main) {
  const { modules, crossings, violations, reasons } = await cruise(process.cwd())
  for (const { rule, from, to } of violations) {
    console.error(`${from} -> ${to}\n  ${rule}: ${reasons.get(rule) ?? ''}`)
  }
  console.log(`${modules} modules, ${crossings} imports between rooms, ${violations.length} against the arrows`)
  // Rules that saw nothing have proved nothing.
  process.exitCode = violations.length > 0 || modules === 0 || crossings === 0 ? 1 : 0
}
