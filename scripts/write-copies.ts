/**
 * Writes the server and the operator's commands without types, for `without-types.mjs`. Lines and columns stay those of
 * the sources.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { OPERATOR_MODULES, needsOf } from './bundle.ts'
import { COPIES, copyName } from './without-types.mjs'

const project = resolve(import.meta.dirname, '..')
const { files } = await needsOf([
  ...globSync('app/**/route.ts', { cwd: project }),
  'scripts/program/main.ts',
  ...OPERATOR_MODULES,
])
const folder = join(project, COPIES)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const file of files.filter((name) => name.endsWith('.ts'))) {
  const source = readFileSync(join(project, file), 'utf8')
  writeFileSync(join(folder, copyName(source)), stripTypeScriptTypes(source))
}
