/** The session's page in the document of /embed. */

declare global {
  interface Window {
    /** Of a page that /embed has written: resolves once a call had the session's cookie, or could not tell. */
    cashierCookie?: Promise<unknown>
  }
}

/** A page that the browser has drawn and that works must not wait longer for an answer. */
const CONFIRMED_WITHIN_MS = 5000

/** Resolves once it is known that the browser has not refused the session's cookie, or if that takes long. */
export const cookieConfirmed = (): Promise<unknown> =>
  window.cashierCookie === undefined
    ? Promise.resolve()
    : Promise.race([window.cashierCookie, new Promise((resolve) => setTimeout(resolve, CONFIRMED_WITHIN_MS))])

/**
 * The browser may have refused the cookie of the launch. Then the page is loaded again, and the server's answer says so;
 * the promise stays open. @param path of the page
 */
async function confirmCookie(path: string): Promise<void> {
  const headers = { 'x-cashier-session': path.split('/')[2] ?? '' }
  try {
    const response = await fetch('/api/cashier/balances', { headers })
    // An answer that is not read keeps its connection.
    await response.text()
    if (response.status !== 401) return
  } catch {
    return
  }
  location.reload()
  await new Promise(() => undefined)
}

/**
 * Writes the session's page into the document of /embed while it comes, in place of what the document shows. Going to the
 * page would take one more trip. Its address replaces that of /embed, so the browser's history gets no entry.
 * @param path of the page
 * @param body its HTML, whose scripts and styles have the nonce of this document
 */
export async function writePage(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let hasText = false
  history.replaceState(null, '', path)
  // Removes the listeners of /embed, too.
  document.open()
  window.cashierCookie = confirmCookie(path)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      document.write(decoder.decode(value, { stream: !done }))
      if (done) break
      hasText = true
    }
  } catch {
    // What has come stays, as in a page whose connection breaks: it may have the address.
    if (!hasText) location.reload()
  }
  document.close()
}
