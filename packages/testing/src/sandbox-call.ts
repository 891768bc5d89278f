export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type Errors = Readonly<Record<string, readonly string[]>>

/** The sandbox refused a control call. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal'
  /** 404, 409 (the state does not allow the step) or 422. */
  readonly status: number
  /** What is wrong, by field. */
  readonly errors: Errors

  constructor(asked: string, status: number, answer: string) {
    super(`${asked} returned ${status}: ${answer}`)
    this.status = status
    this.errors = errorsIn(answer)
  }
}

function errorsIn(answer: string): Errors {
  try {
    return (JSON.parse(answer) as { errors?: Errors }).errors ?? {}
  } catch {
    // A proxy may answer with HTML.
    return {}
  }
}

/** @throws SandboxRefusal */
export async function askControl(url: string, method: Method, path: string, body: object = {}): Promise<unknown> {
  const response = await fetch(new URL(`/control${path}`, url), {
    method,
    ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new SandboxRefusal(`${method} /control${path}`, response.status, text)
  return JSON.parse(text) as unknown
}

/** The given fields as a query string. */
export function queryOf(search: object): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
