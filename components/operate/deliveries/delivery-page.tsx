'use client'

import type { PageProps } from '../context/page-links.ts'
import { ConsoleDeliveries } from './console-access.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'

export default function DeliveryPage({ params }: PageProps) {
  return (
    <ConsoleDeliveries>
      <DeliveryDetail id={params['id'] ?? ''} />
    </ConsoleDeliveries>
  )
}
