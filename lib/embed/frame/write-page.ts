/** The session's page in the document of /embed. */

declare global {
  interface Window {
    /** Of a page that /embed has written: resolves once a call had the session's cookie, or could not tell. */
    cashierCookie?: Promise<unknown>
    /** When that page began to arrive, by `performance.now()`. */
    cashierArrivedMs?: number
  }
}

/** How often a page that does not work asks whether the server answers. */
const RETRY_MS = 2000

/** Resolves once it is known that the browser has not refused the session's cookie. */
export const cookieConfirmed = (): Promise<unknown> => window.cashierCookie ?? Promise.resolve()

/** Whether the browser has refused the cookie of the launch; false if that cannot be told. @param path of the page */
async function lacksCookie(path: string): Promise<boolean> {
  const headers = { 'x-cashier-session': path.split('/')[2] ?? '' }
  try {
    const response = await fetch('/api/cashier/balances', { headers })
    // An answer that is not read keeps its connection.
    await response.text()
    return response.status === 401
  } catch {
    return false
  }
}

/**
 * Writes the session's page into the document of /embed while it comes, in place of what the document shows. Going to the
 * page would take one more trip. Its address replaces that of /embed, so the browser's history gets no entry. A page that
 * lacks its cookie is loaded again once it is written, and the server's answer says so. So is a page of which a part or a
 * script did not come: it would never react to a press.
 * @param path of the page
 * @param body its HTML, whose scripts and styles have the nonce of this document
 */
export async function writePage(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  history.replaceState(null, '', path)
  // Removes the listeners of /embed, too.
  document.open()
  window.cashierArrivedMs = performance.now()
  let works = false
  let asking: ReturnType<typeof setInterval> | undefined
  /** Without an answer the browser's error page would replace what has come, which may have the address. */
  const loadAgain = (): void => {
    asking ??= setInterval(() => {
      const reload = ({ ok }: Response): void => {
        if (!ok) return
        clearInterval(asking)
        location.reload()
      }
      fetch('/embed', { method: 'HEAD' }).then(reload, () => undefined)
    }, RETRY_MS)
  }
  addEventListener('cashier:hydrated', () => {
    works = true
    clearInterval(asking)
  })
  const onError = ({ target }: Event): void => {
    if (!works && target instanceof HTMLScriptElement) loadAgain()
  }
  addEventListener('error', onError, true)
  const lacking = lacksCookie(path)
  window.cashierCookie = lacking.then((is) => is && new Promise(() => undefined))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      document.write(decoder.decode(value, { stream: !done }))
      if (done) break
    }
  } catch {
    loadAgain()
  }
  document.close()
  if (await lacking) location.reload()
}
