import type { WidgetAction, WidgetSession } from './session.ts'

export type Sent = { readonly status: WidgetSession['status'] } | { readonly message: string }

export type Send = (action: WidgetAction, details?: { readonly amount?: string }) => Promise<Sent>

/** Tells the provider what the user did. */
export function provider(token: string): Send {
  return async (action, details = {}) => {
    try {
      const response = await fetch(`/widget/${token}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(details),
      })
      return (await response.json()) as Sent
    } catch {
      return { message: 'The provider cannot be reached. Try again.' }
    }
  }
}
