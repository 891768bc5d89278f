import { isProblem, Problem } from '#lib/contract/problems.ts'
import type { DeliveryDetail, TestEventsPage } from '#lib/contract/operate/deliveries.ts'
import type { Store } from '../../store/types.ts'
import { attemptShape, deliveryShape, isoOf, shownEndpoint } from './delivery-shapes.ts'
import type { DeliveryReads } from './list-deliveries.ts'

const unknown = (): Problem => new Problem('not_found', 'There is no such delivery.')

/** `GET /api/operate/deliveries/{id}`, with its attempts. @throws Problem `not_found` */
export const createReadDelivery =
  ({ store, ids, endpoint, clock }: DeliveryReads) =>
  async (id: string): Promise<DeliveryDetail> => {
    const asOfMs = clock()
    const [cursor = 0] = await ids.read([id], 'id').catch((error: unknown) => {
      throw isProblem(error) ? unknown() : error
    })
    const row = (await store.deliveryList.rows([cursor])).get(cursor)
    if (row === undefined) throw unknown()
    const [attempts, [summary], nameOf] = await Promise.all([
      store.deliveryAttempts.of(cursor),
      store.deliveryAttempts.summaries([cursor]),
      ids.writer(),
    ])
    return {
      delivery: deliveryShape(row, summary, nameOf),
      attempts: attempts.map(attemptShape).reverse(),
      endpoint: shownEndpoint(endpoint),
      as_of: isoOf(asOfMs),
    }
  }

const MOST_TESTS = 20

/** `GET /api/operate/test-events`: the newest first. */
export const createListTestEvents = (store: Pick<Store, 'deliveryAttempts'>) => async (): Promise<TestEventsPage> => ({
  attempts: (await store.deliveryAttempts.tests(MOST_TESTS)).map(attemptShape),
})
