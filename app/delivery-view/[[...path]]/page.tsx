import '../../operate/operate.css'
import type { Metadata } from 'next'
import { DeliveryView } from '#components/operate/delivery-view/delivery-view.tsx'
import { loadConsoleCatalogue, loadSharedTexts } from '#lib/i18n/console-catalogue.ts'
import { requestContext } from '../../request-context.ts'

export const metadata: Metadata = { title: 'Deliveries' }

/** The document of the view of deliveries for the merchant's own admin: the browser brings the token. */
export default async function DeliveryViewPage() {
  // Its nonce makes the page dynamic.
  await requestContext()
  return (
    <html lang="en" dir="ltr" data-theme="auto" suppressHydrationWarning>
      <body className="bg-bg">
        <DeliveryView catalogue={await loadSharedTexts()} texts={loadConsoleCatalogue()} />
      </body>
    </html>
  )
}
