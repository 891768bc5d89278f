import { createHash } from 'node:crypto'
import { openApiDocument } from '#lib/server/merchant/openapi/document.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { TextAnswer } from '#lib/server/runtime/http/answer.ts'

let kept: { readonly text: string; readonly etag: string } | undefined

function content(): { readonly text: string; readonly etag: string } {
  if (kept !== undefined) return kept
  const text = JSON.stringify(openApiDocument())
  kept = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
  return kept
}

/** The merchant API as OpenAPI 3.1, public and equal to docs/openapi.json. */
export const GET = handler('openapi', ({ request }) => {
  const { text, etag } = content()
  const headers = { 'cache-control': 'public, max-age=300', etag, 'access-control-allow-origin': '*' }
  if (request.headers.get('if-none-match') === etag)
    return Promise.resolve(new TextAnswer('', { status: 304, headers }))
  return Promise.resolve(
    new TextAnswer(text, { status: 200, headers: { ...headers, 'content-type': 'application/json' } }),
  )
})
export const HEAD = GET
