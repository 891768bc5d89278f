import type { Story } from '#lib/contract/operate/story.ts'
import type { ConsoleUseCases } from '../compose-console.ts'
import { jsonAnswer } from './answer.ts'
import { operatorHandler } from './operator-handler.ts'
import { refuseQuery } from './query.ts'
import type { RouteHandler } from './route-handler.ts'

/**
 * The exported function of a route file that tells a story. The audit log notes whose it is, which only the story says.
 * @param param the path's segment with the id
 */
export const storyHandler = (
  route: string,
  kind: 'transaction' | 'withdrawal',
  param: string,
  read: (console: ConsoleUseCases, id: string) => Promise<Story>,
): RouteHandler =>
  operatorHandler(route, { role: 'viewer' }, async ({ app, operator, params, url }) => {
    refuseQuery(url.searchParams)
    const id = params[param] ?? ''
    const story = await read(app.console, id)
    const about = { kind, id, user_reference_id: story.user_reference_id }
    await app.console.recordAudit({ operator, action: `${kind}.open`, about })
    return jsonAnswer(200, story)
  })
