/** What our return page, inside the provider's frame, tells the cashier around it: same origin, same build. */
const WORD = 'cashier:onramp-returned'

export const tellReturn = (window: Window): void => {
  if (window.parent !== window) window.parent.postMessage(WORD, window.location.origin)
}

/** True for that word from our own origin and from this frame. */
export const isReturn = (event: MessageEvent<unknown>, frame: Window | null, origin: string): boolean =>
  frame !== null && event.origin === origin && event.source === frame && event.data === WORD
