import { byId } from '../element.ts'

/** Runs what a press asked for, says how it went, and has the page read afresh. */
export type Act = (said: string, work: () => Promise<unknown>) => void

export function actor(refresh: () => Promise<void>): Act {
  let fading: ReturnType<typeof setTimeout> | undefined
  const say = (text: string, look: 'ok' | 'bad'): void => {
    const message = byId('message')
    message.textContent = text
    message.className = `message ${look}`
    clearTimeout(fading)
    fading = setTimeout(() => {
      message.className = 'message'
    }, 6000)
  }
  return (said, work) => {
    work()
      .then(() => {
        say(said, 'ok')
      })
      .catch((error: unknown) => {
        say(error instanceof Error ? error.message : String(error), 'bad')
      })
      .finally(() => void refresh())
  }
}
