/** The files that are made from the schemas of the merchant API, by their path. */
import { format, resolveConfig } from 'prettier'
import { openApiDocument } from '#lib/server/merchant/openapi/document.ts'
import { apiTypes } from './openapi-types.ts'
import { referencePage } from './reference-page.ts'

export async function openApiFiles(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument()
  const contents = [
    ['docs/openapi.json', JSON.stringify(document)],
    ['docs/reference/merchant-api.md', referencePage(document)],
    ['packages/server/src/api-types.ts', apiTypes(document)],
  ] as const
  const formatted = contents.map(async ([path, text]) => {
    const options = await resolveConfig(path)
    return [path, await format(text, { ...options, filepath: path })] as const
  })
  return new Map(await Promise.all(formatted))
}
