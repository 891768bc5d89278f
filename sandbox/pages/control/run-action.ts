import { byId } from '../element.ts'

/** Runs the action of a button, shows the result, and refreshes the page. */
export type RunAction = (successMessage: string, work: () => Promise<unknown>) => void

export function createActionRunner(refresh: () => Promise<void>): RunAction {
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  const show = (text: string, tone: 'ok' | 'bad'): void => {
    const message = byId('message')
    message.textContent = text
    message.className = `message ${tone}`
    clearTimeout(hideTimer)
    hideTimer = setTimeout(() => {
      message.className = 'message'
    }, 6000)
  }
  return (successMessage, work) => {
    work()
      .then(() => {
        show(successMessage, 'ok')
      })
      .catch((error: unknown) => {
        show(error instanceof Error ? error.message : String(error), 'bad')
      })
      .finally(() => void refresh())
  }
}
