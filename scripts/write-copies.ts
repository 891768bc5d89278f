/** Writes the server and the operator's commands without types, for `without-types.mjs`. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { OPERATOR_MODULES, needsOf } from './bundle.ts'
import { COPIES, copyName } from './without-types.mjs'

/** Returns how many copies were written. Lines and columns stay those of the sources. */
export async function writeCopies(project: string): Promise<number> {
  const { files } = await needsOf([
    ...globSync('app/**/route.ts', { cwd: project }),
    'scripts/program/main.ts',
    ...OPERATOR_MODULES,
  ])
  const folder = join(project, COPIES)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sources = files.filter((file) => file.endsWith('.ts'))
  for (const file of sources) {
    const source = readFileSync(join(project, file), 'utf8')
    writeFileSync(join(folder, copyName(source)), stripTypeScriptTypes(source))
  }
  return sources.length
}
