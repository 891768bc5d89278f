import * as z from 'zod/mini'

/** `waiting`: not tried yet. `failing`: it is tried again. `dead`: it is no longer tried. */
const DELIVERY_STATES = ['waiting', 'failing', 'dead', 'delivered'] as const
export const deliveryState = z.enum(DELIVERY_STATES, { error: `must be one of ${DELIVERY_STATES.join(', ')}` })
export type DeliveryState = (typeof DELIVERY_STATES)[number]
