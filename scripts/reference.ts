/** `npm run reference`: writes docs/reference, docs/openapi.json and the types of packages/server. */
import { writeFileSync } from 'node:fs'
import { referenceFiles } from './reference-files.ts'

for (const [path, text] of await referenceFiles()) {
  writeFileSync(path, text)
  console.log(path)
}
