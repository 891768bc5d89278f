/** Supplies the console's use cases of deliveries with their dependencies. */
import { createFeedCursors, feedCursor } from '../merchant/feed-cursor.ts'
import { createRequeueMatching } from '../merchant/requeue-matching.ts'
import type { DeliveryIds } from '../operate/deliveries/delivery-shapes.ts'
import { createDeliveryFile, createListDeliveries } from '../operate/deliveries/list-deliveries.ts'
import { createListTestEvents, createReadDelivery } from '../operate/deliveries/read-delivery.ts'
import { createPreviewResend, createResendDeliveries } from '../operate/deliveries/resend-deliveries.ts'
import type { Store } from '../store/types.ts'
import type { Config } from './config/config.ts'

export interface ConsoleDeliveriesOptions {
  readonly config: Pick<Config, 'merchantWebhookUrl'>
  readonly store: Store
  readonly clock: () => number
}

/** Deliveries have the names of their events in the merchant's feed. */
export function deliveryIds(store: Pick<Store, 'feedEpoch' | 'wentBack'>): DeliveryIds {
  const cursors = createFeedCursors(store)
  return {
    read: async (ids, field) => (await cursors.read(ids, () => field)).numbers,
    async writer() {
      const { epoch } = await store.feedEpoch.position()
      return (number) => feedCursor(epoch, number)
    },
  }
}

export function composeConsoleDeliveries({ config, store, clock }: ConsoleDeliveriesOptions) {
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
    deliveryFile: createDeliveryFile(options),
    readDelivery: createReadDelivery(options),
    previewResend: createPreviewResend(options),
    resendDeliveries: createResendDeliveries(options),
    listTestEvents: createListTestEvents(store),
  }
}
