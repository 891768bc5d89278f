/** What our return page, inside the provider's frame, tells the cashier around it: same origin, same build. */
import * as z from 'zod/mini'

const message = z.object({ cashier: z.literal('onramp-returned') })

export const tellReturn = (window: Window): void => {
  if (window.parent !== window) window.parent.postMessage({ cashier: 'onramp-returned' }, window.location.origin)
}

/** True for that word from our own origin and from this frame. */
export const isReturn = (event: MessageEvent<unknown>, frame: Window | null, origin: string): boolean =>
  event.origin === origin && event.source === frame && frame !== null && message.safeParse(event.data).success
