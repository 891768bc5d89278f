import { readWebhookNews } from '../../store/commands/webhook-news.ts'
import { fault, note, ok, type Finding } from './finding.ts'

const ABOUT = 'webhooks'

/** Tells what the running cashier made of the gateway's webhooks. `checkDatabase` reports an unreadable database. */
export async function checkWebhooks(databaseUrl: string): Promise<readonly Finding[]> {
  const news = await readWebhookNews(databaseUrl).catch(() => null)
  if (news === null) return []
  const { acceptedMs, refused, codes } = news
  const last = acceptedMs === null ? null : new Date(acceptedMs).toISOString()
  if (refused > 0)
    return [
      fault(
        ABOUT,
        `${refused} refused (${codes.join(', ')})${last === null ? ', and none was accepted' : ` since the last accepted one, ${last}`}`,
        'compare GATEWAY_PUBLIC_KEY with the Merchant Console, restart, and let the gateway send again. If the key is right, a proxy changes body or headers, or strangers call: then the next accepted webhook ends this',
      ),
    ]
  return [last === null ? note(ABOUT, 'none has come yet') : ok(ABOUT, `the last one was accepted at ${last}`)]
}
