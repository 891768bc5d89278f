/** The WebDriver commands that the views use, over either of two protocols. */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { z } from 'zod'

/** Commands by their names in Firefox's Marionette protocol, which has WebDriver's parameters and results. */
const HTTP_COMMANDS = {
  'WebDriver:Navigate': ['POST', '/url'],
  'WebDriver:GetCurrentURL': ['GET', '/url'],
  'WebDriver:SwitchToFrame': ['POST', '/frame'],
  'WebDriver:GetWindowHandles': ['GET', '/window/handles'],
  'WebDriver:SwitchToWindow': ['POST', '/window'],
  'WebDriver:CloseWindow': ['DELETE', '/window'],
  'WebDriver:SetWindowRect': ['POST', '/window/rect'],
  'WebDriver:FindElements': ['POST', '/elements'],
  'WebDriver:ElementClick': ['POST', '/element/{id}/click'],
  'WebDriver:ElementClear': ['POST', '/element/{id}/clear'],
  'WebDriver:ElementSendKeys': ['POST', '/element/{id}/value'],
  'WebDriver:IsElementDisplayed': ['GET', '/element/{id}/displayed'],
  'WebDriver:GetComputedLabel': ['GET', '/element/{id}/computedlabel'],
  'WebDriver:GetComputedRole': ['GET', '/element/{id}/computedrole'],
  'WebDriver:ExecuteScript': ['POST', '/execute/sync'],
  'WebDriver:DeleteSession': ['DELETE', ''],
} as const satisfies Readonly<Record<string, readonly ['GET' | 'POST' | 'DELETE', string]>>

export type CommandName = keyof typeof HTTP_COMMANDS
export type Parameters = Readonly<Record<string, unknown>>

export interface WebDriverSession {
  readonly version: string
  /** @throws WebDriverError */
  send(name: CommandName, parameters?: Parameters): Promise<unknown>
  close(): Promise<void>
}

/** A command's failure, with WebDriver's error code. */
export class WebDriverError extends Error {
  readonly code: string

  constructor(command: string, code: string, message: string) {
    super(`${command}: ${code}: ${message}`)
    this.name = 'WebDriverError'
    this.code = code
  }
}

const failure = z.object({ error: z.string(), message: z.string() })
const started = z.object({ sessionId: z.string(), capabilities: z.object({ browserVersion: z.string() }) })

/** A session of a WebDriver service. */
export async function openHttpSession(url: string, capabilities: Parameters): Promise<WebDriverSession> {
  const ask = async (name: string, method: string, path: string, body: Parameters): Promise<unknown> => {
    const response = await fetch(url + path, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) })
    const { value } = z.object({ value: z.unknown() }).parse(await response.json())
    if (response.ok) return value
    const { error, message } = failure.parse(value)
    throw new WebDriverError(name, error, message)
  }
  const wanted = { capabilities: { alwaysMatch: capabilities } }
  const session = started.parse(await ask('NewSession', 'POST', '/session', wanted))
  const send: WebDriverSession['send'] = (name, parameters = {}) => {
    const [method, path] = HTTP_COMMANDS[name]
    const target = path.replace('{id}', String(parameters['id']))
    return ask(name, method, `/session/${session.sessionId}${target}`, parameters)
  }
  return {
    version: session.capabilities.browserVersion,
    send,
    async close() {
      await send('WebDriver:DeleteSession')
    },
  }
}

const marionetteAnswer = z.tuple([z.literal(1), z.number(), failure.nullable(), z.unknown()])

/** A session of Firefox itself, without geckodriver, which Debian does not have. A message is `length:JSON`. */
export async function openMarionetteSession(port: number, capabilities: Parameters): Promise<WebDriverSession> {
  const socket = createConnection(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map<number, (answer: z.infer<typeof marionetteAnswer>) => void>()
  let received = Buffer.alloc(0)
  const read = (): void => {
    const colon = received.indexOf(':')
    const end = colon + 1 + Number(received.toString('latin1', 0, colon))
    if (colon < 0 || received.length < end) return
    const message: unknown = JSON.parse(received.toString('utf8', colon + 1, end))
    received = received.subarray(end)
    // The first message is the greeting.
    const answer = marionetteAnswer.safeParse(message)
    if (answer.success) waiting.get(answer.data[1])?.(answer.data)
    read()
  }
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    read()
  })
  let sent = 0
  const ask = async (name: string, parameters: Parameters): Promise<unknown> => {
    sent += 1
    const id = sent
    const text = JSON.stringify([0, id, name, parameters])
    const [, , error, result] = await new Promise<z.infer<typeof marionetteAnswer>>((resolve) => {
      waiting.set(id, resolve)
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
    waiting.delete(id)
    if (error) throw new WebDriverError(name, error.error, error.message)
    // Marionette wraps a result that is not an object.
    return typeof result === 'object' && result !== null && 'value' in result ? result.value : result
  }
  const session = started.parse(await ask('WebDriver:NewSession', capabilities))
  return {
    version: session.capabilities.browserVersion,
    send: (name, parameters = {}) => ask(name, parameters),
    async close() {
      await ask('WebDriver:DeleteSession', {})
      socket.destroy()
    },
  }
}
