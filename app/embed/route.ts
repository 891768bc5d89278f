import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** The page is the same for everybody, so that every cache may keep it. */
export const GET = handler(
  'embed',
  ({ app, request }) => Promise.resolve(app.staticPages.embed(request.headers.get('if-none-match'))),
  { kind: 'document' },
)
export const HEAD = GET
