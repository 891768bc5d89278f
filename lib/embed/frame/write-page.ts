/** The session's page in the document of /embed. */

declare global {
  interface Window {
    /** Of a page that /embed has written: resolves once a call had the session's cookie, or could not tell. */
    cashierCookie?: Promise<unknown>
  }
}

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
 * lacks its cookie is loaded again once it is written, and the server's answer says so.
 * @param path of the page
 * @param body its HTML, whose scripts and styles have the nonce of this document
 */
export async function writePage(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let again = true
  history.replaceState(null, '', path)
  // Removes the listeners of /embed, too.
  document.open()
  const lacking = lacksCookie(path)
  window.cashierCookie = lacking.then((is) => is && new Promise(() => undefined))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      document.write(decoder.decode(value, { stream: !done }))
      again = false
      if (done) break
    }
  } catch {
    // What has come stays, as in a page whose connection breaks: it may have the address.
  }
  document.close()
  if (again || (await lacking)) location.reload()
}
