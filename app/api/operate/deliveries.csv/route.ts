import { DELIVERY_FILTER_NAMES, deliveryFilter } from '#lib/contract/operate/deliveries.ts'
import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { merchantValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'

/** The list as a file of any length. */
export const GET = operatorHandler(
  'operate.deliveryFile',
  { role: 'viewer' },
  async ({ app, operator, url, requestId }) => {
    const filter = parseInput(deliveryFilter, merchantValues(url.searchParams, DELIVERY_FILTER_NAMES))
    await app.console.recordAudit({
      operator,
      action: 'list.export',
      about: { kind: 'list', id: 'deliveries', user_reference_id: filter.user },
      detail: { query: url.searchParams.toString() },
    })
    return csvAnswer({
      name: 'deliveries.csv',
      lines: app.console.deliveryFile(filter),
      onError: (error) => void app.problemOf(error, requestId, 'operate.deliveryFile'),
    })
  },
)
