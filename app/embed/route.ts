import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** The same page for everybody, so that every cache may keep it. */
export const GET = handler('embed', ({ app }) => Promise.resolve(app.staticPages.embed()), { kind: 'document' })
export const HEAD = GET
