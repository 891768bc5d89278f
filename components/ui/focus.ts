/** Where the focus goes, nothing scrolls by itself: in a frame the browser would scroll the merchant's page. */

/** The start of a screen that took another's place. At top level it is brought into view, in a frame it is not. */
export function focusStart(element: HTMLElement | null): void {
  element?.focus({ preventScroll: window.parent !== window })
}

/** A field that the person has to change: brought into view where it is not, for they would see nothing happen. */
export function focusField(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

/** What is on the screen already, or was a moment ago. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
