/** Moves the focus without the browser's own scrolling, which in a frame would scroll the merchant's page. */

/** For the start of a screen that replaced another. Scrolls it into view outside a frame, not in a frame. */
export function focusStart(element: HTMLElement | null): void {
  element?.focus({ preventScroll: window.parent !== window })
}

/** For a field that the user must change. Scrolls it into view, otherwise the user could see no reaction. */
export function focusField(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

/** For an element that is on the screen already, or was a moment ago. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
