'use client'

import { useMemo, type ReactNode } from 'react'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { pageHref, recordHref } from '../context/page-links.ts'
import { DeliveriesAccessContext } from './deliveries-access.tsx'

/** Deliveries in the console: agents may send again. */
export function ConsoleDeliveries({ children }: { readonly children: ReactNode }) {
  const client = useConsoleClient()
  const { role } = useOperator()
  const access = useMemo(
    () => ({
      client,
      listHref: pageHref('/deliveries'),
      hrefOf: (id: string) => recordHref('deliveries', id),
      mayResend: mayActAs(role, 'agent'),
      pages: {
        transaction: (uuid: string) => recordHref('transactions', uuid),
        user: (id: string) => recordHref('users', id),
      },
    }),
    [client, role],
  )
  return <DeliveriesAccessContext value={access}>{children}</DeliveriesAccessContext>
}
