'use client'

import type { PageProps } from '../context/page-links.ts'
import { ConsoleDeliveries } from './console-access.tsx'
import { DeliveryWithAttempts } from './delivery-detail.tsx'

export default function DeliveryPage({ params }: PageProps) {
  return (
    <ConsoleDeliveries>
      <DeliveryWithAttempts id={params['id'] ?? ''} />
    </ConsoleDeliveries>
  )
}
