'use client'

import { useConsoleText } from '../context/texts.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { ConsoleDeliveries } from './console-access.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { TestEvents } from './test-events.tsx'

export default function DeliveriesPage() {
  const { t } = useConsoleText()
  return (
    <ConsoleDeliveries>
      <PageHead title={t('page.deliveries')} about={t('deliveries.about')} />
      <DeliveryList />
      <TestEvents />
    </ConsoleDeliveries>
  )
}
