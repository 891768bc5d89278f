import type { CashierOptions } from '../../public/embed.d.ts'

/** As the frame takes it: one line of visible characters. */
const TOKEN = /^[!-~]{1,2048}$/

/** A token from the merchant's function, or why there is none. Never rejects. */
export async function askLaunchToken(
  fetchLaunchToken: CashierOptions['fetchLaunchToken'],
): Promise<{ readonly token: string } | { readonly fault: string }> {
  try {
    const token: unknown = await fetchLaunchToken()
    return typeof token === 'string' && TOKEN.test(token)
      ? { token }
      : { fault: 'fetchLaunchToken gave what is no launch token' }
  } catch (error) {
    return { fault: `fetchLaunchToken failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}
