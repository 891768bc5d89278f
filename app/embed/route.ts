import { handler } from '#lib/server/runtime/http/route-handler.ts'

export const GET = handler(
  'embed',
  ({ app, request: { headers } }) => {
    app.warnOfFraming(headers)
    return Promise.resolve(app.staticPages.embed())
  },
  { kind: 'document' },
)
export const HEAD = GET
