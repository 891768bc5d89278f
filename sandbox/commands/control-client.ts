import type { ControlRoute } from '../control/route.ts'

/** No sandbox answers. */
export class SandboxAwayError extends Error {}

/** The sandbox refused a control call; the message says what it wants. */
export class ControlRefusal extends Error {}

/** Makes a control call; `path` is below `/control`. @throws SandboxAwayError or ControlRefusal */
export type AskSandbox = (method: ControlRoute['method'], path: string, body?: object) => Promise<unknown>

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

function refusalOf(text: string): string {
  try {
    const { message = text, errors = {} } = JSON.parse(text) as { message?: string; errors?: Record<string, string[]> }
    const fields = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(', ')}`)
    return fields.length === 0 ? message : fields.join('; ')
  } catch {
    return text.slice(0, 200)
  }
}

export const controlClient =
  (origin: string): AskSandbox =>
  async (method, path, body = {}) => {
    const init = method === 'GET' ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    let response: Response
    let text: string
    try {
      response = await fetch(`${origin}/control${path}`, { method, ...init })
      text = await response.text()
    } catch (error) {
      throw new SandboxAwayError(
        `no sandbox answers at ${origin} (${reasonOf(error)}): start one, or name it by --sandbox URL`,
        { cause: error },
      )
    }
    if (!response.ok) throw new ControlRefusal(`the sandbox refused ${method} /control${path}: ${refusalOf(text)}`)
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      throw new SandboxAwayError(`what answers at ${origin} is no sandbox`, { cause: error })
    }
  }
