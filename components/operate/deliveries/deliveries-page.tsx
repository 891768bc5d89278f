'use client'

import { DELIVERY_FILTER_NAMES } from '#lib/contract/operate/deliveries.ts'
import { queryOf } from '#lib/contract/operate/list-address.ts'
import { useAddressState } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ListToolbar } from '../lists/list-toolbar.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useColumns } from '../ui/use-columns.ts'
import { ConsoleDeliveries } from './console-access.tsx'
import { deliveriesAddress, DeliveryList, useDeliveryColumns } from './delivery-list.tsx'
import { TestEvents } from './test-events.tsx'

export default function DeliveriesPage() {
  const { t } = useConsoleText()
  return (
    <ConsoleDeliveries>
      <PageHead title={t('page.deliveries')} about={t('deliveries.about')} />
      <ListWithTools />
      <TestEvents />
    </ConsoleDeliveries>
  )
}

/** The list with the operator's views and columns, and its file. */
function ListWithTools() {
  const address = useAddressState(deliveriesAddress)
  const chosen = useColumns('deliveries', useDeliveryColumns(), address)
  return (
    <DeliveryList shown={chosen.shown}>
      <ListToolbar
        list="deliveries"
        address={address}
        chosen={chosen}
        fileHref={`/api/operate/deliveries.csv?${queryOf(address[0], DELIVERY_FILTER_NAMES)}`}
      />
    </DeliveryList>
  )
}
