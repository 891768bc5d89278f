import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** The page is the same for everybody, so that every cache may keep it. */
export const GET = handler(
  'embed',
  ({ app, request: { headers } }) => {
    app.warnOfFraming(headers)
    return Promise.resolve(app.staticPages.embed(headers.get('if-none-match')))
  },
  { kind: 'document' },
)
export const HEAD = GET
