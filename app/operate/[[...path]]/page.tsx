import '../operate.css'
import type { Metadata } from 'next'
import { Console } from '#components/operate/app/console.tsx'
import { loadConsoleCatalogue, loadSharedTexts } from '#lib/i18n/console-catalogue.ts'
import { getApp } from '#lib/server/runtime/app.ts'
import { requestContext } from '../../request-context.ts'

export const metadata: Metadata = { title: 'Console' }

/**
 * The document of the console, the same for everybody: the browser asks who is signed in. A link from outside, which
 * brings no cookie of the session, so opens its page too.
 */
export default async function OperatePage() {
  // Its nonce makes the page dynamic.
  await requestContext()
  const { settings } = getApp().pages
  return (
    <html lang="en" dir="ltr" data-theme="auto" suppressHydrationWarning>
      <body className="bg-bg">
        <Console
          catalogue={await loadSharedTexts()}
          texts={loadConsoleCatalogue()}
          explorer={settings.explorerUrl}
          embedded={settings.ledgerMode === 'embedded'}
        />
      </body>
    </html>
  )
}
