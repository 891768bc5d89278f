import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** `json` is undefined if the body is not JSON. */
export interface HttpResponse {
  readonly status: number
  readonly text: string
  readonly json: unknown
}

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  /** For a list, the header is sent once per value. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

const REQUEST_TIMEOUT_MS = 15_000

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends exactly these headers and bytes. `fetch` would join repeated headers. */
export function sendRequest({ method, url, headers, body }: HttpRequest): Promise<HttpResponse> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: own, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, text, json: parsed(text) })
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${REQUEST_TIMEOUT_MS / 1000} s`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
