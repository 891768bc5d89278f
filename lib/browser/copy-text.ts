/** Copies text to the clipboard and reports what happened. */

/** `selected`: the browser refused both ways to copy; the text is selected, so that the user can copy it. */
export type CopyOutcome = 'copied' | 'selected'

export interface CopyOptions {
  readonly clipboard: Pick<Clipboard, 'writeText'> | undefined
  readonly document: Document
}

/**
 * `shown` holds the text on the screen. Uses `execCommand` if the Clipboard API is refused, as in a frame without
 * `allow`.
 */
export async function copyText(
  text: string,
  shown: Element,
  { clipboard, document }: CopyOptions,
): Promise<CopyOutcome> {
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return 'copied'
    }
  } catch {
    // Refused: no permission, or no user gesture.
  }
  return copyBySelection(text, document) ? 'copied' : selectShown(shown, document)
}

function copyBySelection(text: string, document: Document): boolean {
  let copied = false
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    copied = true
  }
  document.addEventListener('copy', onCopy, { once: true })
  try {
    // Deprecated, but the only way if the Clipboard API is refused.
    const legacy: { readonly execCommand?: (command: string) => boolean } = document
    return legacy.execCommand?.('copy') === true && copied
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', onCopy)
  }
}

function selectShown(shown: Element, document: Document): CopyOutcome {
  const selection = document.getSelection()
  selection?.removeAllRanges()
  const range = document.createRange()
  range.selectNodeContents(shown)
  selection?.addRange(range)
  return 'selected'
}
