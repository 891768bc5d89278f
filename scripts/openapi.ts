/** `npm run openapi`: writes docs/openapi.json, docs/reference/merchant-api.md and the types of packages/server. */
import { writeFileSync } from 'node:fs'
import { openApiFiles } from './openapi-files.ts'

for (const [path, text] of await openApiFiles()) {
  writeFileSync(path, text)
  console.log(path)
}
