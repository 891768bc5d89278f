import type { WidgetAction, WidgetSession } from './session.ts'

export type ActionResult = { readonly status: WidgetSession['status'] } | { readonly message: string }

export type SendAction = (action: WidgetAction, details?: { readonly amount?: string }) => Promise<ActionResult>

/** Sends the user's actions to the provider. */
export function createSendAction(token: string): SendAction {
  return async (action, details = {}) => {
    try {
      const response = await fetch(`/widget/${token}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(details),
      })
      return (await response.json()) as ActionResult
    } catch {
      return { message: 'The provider cannot be reached. Try again.' }
    }
  }
}
