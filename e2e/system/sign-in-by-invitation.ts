/** Signs an operator in without a browser, with a passkey without hardware. */
import { softwareAuthenticator } from '#lib/server/operate/access/testing/software-authenticator.ts'

/**
 * Accepts an invitation to the console. Resolves with the cookie of the session, as `name=value`.
 * @param link the invitation
 * @param url where the cashier answers, if not at the public URL of the link
 */
export async function signInByInvitation(link: string, url = new URL(link).origin): Promise<string> {
  const { origin, hostname, hash } = new URL(link)
  const token = hash.slice(1)
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${url}/api/operate/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    })
  const { options } = (await (await post('invitation/options', { token })).json()) as {
    options: { challenge: string }
  }
  const passkey = softwareAuthenticator(origin).create({ challenge: options.challenge, rpId: hostname })
  const accepted = await post('invitation', { token, passkey_name: 'Test', passkey })
  const cookie = accepted.headers.getSetCookie()[0]?.split(';', 1)[0]
  if (cookie === undefined) throw new Error(`the invitation was answered ${accepted.status}: ${await accepted.text()}`)
  return cookie
}
