/** The files that `npm run reference` generates from tables in the code, by path. */
import { format, resolveConfig } from 'prettier'
import { openApiDocument } from '#lib/server/merchant/openapi/document.ts'
import { apiTypes } from './openapi-types.ts'
import { environmentPage } from './reference-pages/environment.ts'
import { merchantApiPage } from './reference-pages/merchant-api.ts'
import { metricsPage } from './reference-pages/metrics.ts'
import { problemCodesPage } from './reference-pages/problem-codes.ts'
import { sandboxControlPage } from './reference-pages/sandbox-control.ts'
import { sandboxOpenApi } from '../sandbox/openapi/document.ts'
import { sceneJsonSchema } from '../sandbox/scenes/scene.ts'

export async function referenceFiles(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument()
  const contents = [
    ['docs/openapi.json', JSON.stringify(document)],
    ['docs/reference/environment.md', environmentPage()],
    ['docs/reference/merchant-api.md', merchantApiPage(document)],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/problem-codes.md', problemCodesPage()],
    ['docs/reference/sandbox-control.md', sandboxControlPage()],
    ['packages/server/src/api-types.ts', apiTypes(document)],
    ['sandbox/openapi.json', JSON.stringify(sandboxOpenApi({ origin: 'http://localhost:4010', basePath: '' }))],
    ['sandbox/scenes/scene.schema.json', JSON.stringify(sceneJsonSchema())],
  ] as const
  const formatted = contents.map(async ([path, text]) => {
    const options = await resolveConfig(path)
    return [path, await format(text, { ...options, filepath: path })] as const
  })
  return new Map(await Promise.all(formatted))
}
