import type { CashierOptions } from '../../public/embed.d.ts'

/** One line of visible characters. */
const TOKEN = /^[!-~]{1,2048}$/

/** A token from the merchant's function, or what went wrong. Never rejects. */
export async function requestLaunchToken(
  fetchLaunchToken: CashierOptions['fetchLaunchToken'],
): Promise<{ readonly token: string } | { readonly fault: string }> {
  try {
    const token: unknown = await fetchLaunchToken()
    return typeof token === 'string' && TOKEN.test(token)
      ? { token }
      : { fault: 'fetchLaunchToken did not return a launch token' }
  } catch (error) {
    return { fault: `fetchLaunchToken failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}
