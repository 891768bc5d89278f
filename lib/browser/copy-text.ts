/** Copies text, and says truly what came of it. */

/** `selected`: neither way was allowed; the text is selected so that the person can copy it. */
export type CopyOutcome = 'copied' | 'selected'

export interface CopyNeeds {
  readonly clipboard: Pick<Clipboard, 'writeText'> | undefined
  readonly document: Document
}

/** `shown` holds the text on the screen. The old way is tried where the new one is refused, as in a frame without `allow`. */
export async function copyText(text: string, shown: Element, { clipboard, document }: CopyNeeds): Promise<CopyOutcome> {
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return 'copied'
    }
  } catch {
    // Refused: no permission, or no gesture that counts.
  }
  return copyBySelection(text, document) ? 'copied' : selectShown(shown, document)
}

function copyBySelection(text: string, document: Document): boolean {
  let taken = false
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    taken = true
  }
  document.addEventListener('copy', put, { once: true })
  try {
    // Deprecated, and the only way where the Clipboard API is refused.
    const old: { readonly execCommand?: (command: string) => boolean } = document
    return old.execCommand?.('copy') === true && taken
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', put)
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
