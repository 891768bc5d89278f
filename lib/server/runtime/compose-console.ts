/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { createFeedCursors, feedCursor } from '../merchant/feed-cursor.ts'
import { createRequeueMatching } from '../merchant/requeue-matching.ts'
import { createRecordAudit } from '../operate/audit/record-audit.ts'
import type { DeliveryIds } from '../operate/deliveries/delivery-shapes.ts'
import { createListDeliveries } from '../operate/deliveries/list-deliveries.ts'
import { createListTestEvents, createReadDelivery } from '../operate/deliveries/read-delivery.ts'
import { createPreviewResend, createResendDeliveries } from '../operate/deliveries/resend-deliveries.ts'
import type { Store } from '../store/types.ts'
import type { Config } from './config/config.ts'

export interface ComposeConsoleOptions {
  readonly config: Pick<Config, 'merchantWebhookUrl'>
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

/** Deliveries have the names of their events in the merchant's feed. */
function deliveryIds(store: Pick<Store, 'feedEpoch'>): DeliveryIds {
  const cursors = createFeedCursors(store)
  return {
    read: async (ids, field) => (await cursors.read(ids, () => field)).numbers,
    async writer() {
      const { epoch } = await store.feedEpoch.position()
      return (number) => feedCursor(epoch, number)
    },
  }
}

function composeDeliveries({ config, store, clock }: ComposeConsoleOptions) {
  const options = {
    store,
    ids: deliveryIds(store),
    endpoint: config.merchantWebhookUrl,
    clock,
    requeueMatching: createRequeueMatching(store),
    requeue: (cursors: readonly number[]) => store.transaction((tx) => tx.deliveries.requeue(cursors)),
  }
  return {
    listDeliveries: createListDeliveries(options),
    readDelivery: createReadDelivery(options),
    previewResend: createPreviewResend(options),
    resendDeliveries: createResendDeliveries(options),
    listTestEvents: createListTestEvents(store),
  }
}

export const composeConsole = (options: ComposeConsoleOptions) => {
  const { store, clock } = options
  return {
    recordAudit: createRecordAudit(store),
    signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
    ...composeDeliveries(options),
  }
}
