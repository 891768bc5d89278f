import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readStatementQuery } from '#lib/server/runtime/http/query.ts'
import { userOf, userSubject } from '#lib/server/runtime/http/user-subject.ts'

/** The same file as the merchant's, of one user. */
export const GET = operatorHandler(
  'operate.userStatementFile',
  { role: 'viewer', audit: { action: 'user_statement.export', about: userSubject } },
  async (call) => {
    const { app, requestId, url } = call
    const user = userOf(call)
    const lines = await app.useCases.statement({ ...readStatementQuery(url.searchParams), user_reference_id: user })
    return csvAnswer({
      name: `statement-${user}.csv`,
      lines,
      onError: (error) => void app.problemOf(error, requestId, 'operate.userStatementFile'),
    })
  },
)
