/** The message of our return page, which runs inside the provider's frame, to the cashier around it. Same origin. */
const MESSAGE = 'cashier:onramp-returned'

export const postReturnMessage = (window: Window): void => {
  if (window.parent !== window) window.parent.postMessage(MESSAGE, window.location.origin)
}

/** True for this message from our own origin and from this frame. */
export const isReturnMessage = (event: MessageEvent<unknown>, frame: Window | null, origin: string): boolean =>
  frame !== null && event.origin === origin && event.source === frame && event.data === MESSAGE
