/** Checks the module boundaries: which module may import which. `.dependency-cruiser.mjs` has the rules and reasons. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const cruiser = fileURLToPath(new URL('../node_modules/.bin/depcruise', import.meta.url))
const rules = fileURLToPath(new URL('../.dependency-cruiser.mjs', import.meta.url))
const roots = [
  'app',
  'bench',
  'components',
  'e2e',
  'examples',
  'lib',
  'packages',
  'sandbox',
  'scripts',
  'simulation',
  'server.ts',
]

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

export interface BoundaryReport {
  readonly modules: number
  /** Imports by alias (`#lib/…`, `#components/…`) that were resolved to a file. */
  readonly aliasImports: number
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[]
  /** The reason for each rule, by the rule's name. */
  readonly reasons: ReadonlyMap<string, string>
}

/** Checks every import below `folder`, which has the layout of this project. */
export async function checkBoundaries(folder: string): Promise<BoundaryReport> {
  const existing = roots.filter((root) => existsSync(join(folder, root)))
  const args = [cruiser, '--config', rules, '--output-type', 'json', ...existing]
  const text = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) => {
      // The exit code is the number of violations, so only an empty output is a failure.
      if (stdout === '') reject(new Error(stderr))
      else resolve(stdout)
    })
  })
  const { summary, modules } = report.parse(JSON.parse(text))
  const aliasImports = modules
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ module, resolved }) => module.startsWith('#') && existsSync(join(folder, resolved)))
  return {
    modules: summary.totalCruised,
    aliasImports: aliasImports.length,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    reasons: new Map(summary.ruleSetUsed.forbidden.map(({ name, comment }) => [name, comment])),
  }
}

if (import.meta.main) {
  const { modules, aliasImports, violations, reasons } = await checkBoundaries(process.cwd())
  for (const { rule, from, to } of violations) {
    console.error(`${from} -> ${to}\n  ${rule}: ${reasons.get(rule) ?? ''}`)
  }
  console.log(`${modules} files, ${aliasImports} imports by alias, ${violations.length} across a module boundary`)
  // A check that read nothing must not pass.
  process.exitCode = violations.length > 0 || modules === 0 || aliasImports === 0 ? 1 : 0
}
