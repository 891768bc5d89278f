/**
 * `npm run reference`: writes docs/reference, docs/openapi.json, the types of packages/server and the schemas of the
 * sandbox.
 */
import { writeFileSync } from 'node:fs'
import { referenceFiles } from './reference-files.ts'

for (const [path, text] of await referenceFiles()) {
  writeFileSync(path, text)
  console.log(path)
}
