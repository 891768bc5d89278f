/**
 * `npm run audit:deps`, a part of `npm test`: checks advisories (the list in the repository, and the registry's if it
 * answers), licences, install scripts and the SBOM of the dependencies. `--write` updates THIRD_PARTY_NOTICES and
 * writes the SBOM to sbom.cdx.json.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  findAffected,
  hasAllowedLicence,
  noticeLine,
  noticeLines,
  readAdvisories,
  readDependencies,
  unnamedScripts,
  type Dependency,
} from './dependencies.ts'
import { noticesOf } from './notices.ts'
import { askNpm, missingFrom, shippedOnly, type Sbom } from './sbom.ts'

const ROOT = join(import.meta.dirname, '..')
const say = (text: string): void => console.log(text)

/** Null when the registry does not answer. */
function askRegistry(): number | null {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
  })
  const report = z.object({ metadata: z.object({ vulnerabilities: z.object({ total: z.number() }) }) })
  try {
    return report.parse(JSON.parse(stdout)).metadata.vulnerabilities.total
  } catch {
    return null
  }
}

function checkAdvisories(dependencies: readonly Dependency[]): boolean {
  const { compiled, advisories } = readAdvisories()
  const affected = findAffected(dependencies, advisories)
  for (const { dependency, advisory } of affected)
    say(`  ${noticeLine(dependency)}: ${advisory.id}, ${advisory.what}; fixed in ${advisory.below}`)
  say(
    `advisories: ${affected.length} of the ${advisories.length} in scripts/advisories.json (${compiled}) affect our packages`,
  )
  const found = askRegistry()
  say(found === null ? 'advisories: the registry does not answer' : `advisories: the registry knows ${found}`)
  return affected.length === 0 && (found ?? 0) === 0
}

function checkLicences(dependencies: readonly Dependency[]): boolean {
  const refused = dependencies.filter((one) => !one.dev && !hasAllowedLicence(one))
  for (const one of refused) say(`  ${noticeLine(one)}: not an allowed licence`)
  say(
    `licences: ${noticeLines(dependencies).length} packages are shipped, ${refused.length} under a licence that is not allowed`,
  )
  return refused.length === 0
}

function checkScripts(dependencies: readonly Dependency[]): boolean {
  const unnamed = unnamedScripts(dependencies)
  say(`install scripts: ${unnamed.length} that allowScripts of package.json does not name ${unnamed.join(', ')}`.trim())
  return unnamed.length === 0
}

function checkSbom(dependencies: readonly Dependency[], sbom: Sbom): boolean {
  const missing = missingFrom(sbom, dependencies)
  say(`SBOM: ${sbom.components.length} packages, ${missing.length} missing ${missing.join(', ')}`.trim())
  return missing.length === 0
}

function write(dependencies: readonly Dependency[], sbom: Sbom): void {
  writeFileSync(join(ROOT, 'THIRD_PARTY_NOTICES'), noticesOf(dependencies))
  writeFileSync(join(ROOT, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
  say('wrote THIRD_PARTY_NOTICES and sbom.cdx.json')
}

const dependencies = readDependencies()
const sbom = shippedOnly(askNpm(), dependencies)
const sound = [
  checkAdvisories(dependencies),
  checkLicences(dependencies),
  checkScripts(dependencies),
  checkSbom(dependencies, sbom),
].every(Boolean)
if (process.argv.includes('--write')) write(dependencies, sbom)
process.exitCode = sound ? 0 : 1
