'use client'

import type { Destination } from '#lib/addresses/index.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useTranslations } from '../context/translations.tsx'
import { lazyCode } from '../ui/lazy-part.tsx'
import { useLateCode } from '../ui/use-late-code.ts'
import { destinationHints, destinationFault, isFinalFault } from './address-messages.ts'

/** The checks are too large for the first load, so they are loaded when the user begins to fill in the form. */
const loadChecks = lazyCode(() => import('#lib/addresses/index.ts'))

export interface DestinationField {
  /** Shown in the field and sent. */
  readonly address: string
  /** The amount in a payment link. */
  readonly amount: Destination['amount']
  readonly fault: string | null
  readonly hints: readonly string[]
  /** The page knows of no reason not to send it. */
  readonly ready: boolean
}

/** Reads the typed or pasted text as a destination of this currency, with its fault or its hints. */
export function useDestination(
  typed: string,
  currency: Currency,
  shown: {
    /** The user has begun to fill in the form. */
    readonly started: boolean
    readonly submitted: boolean
    readonly blurred: boolean
    /** The server refused it. */
    readonly rejected: boolean
  },
): DestinationField {
  const { t, decimal } = useTranslations()
  // If they cannot be loaded, only the server checks.
  const checks = useLateCode(loadChecks, shown.started)
  const read = typed.trim() === '' ? null : (checks?.readDestination(typed, currency) ?? null)
  // Until the checks are loaded, the field has the typed text. White space around it is not sent.
  const address = read?.address ?? typed.trim()

  const fault = (): string | null => {
    if (address === '') return shown.submitted ? t('withdraw.address.empty') : null
    if (read?.check.ok === false && (shown.submitted || shown.blurred || isFinalFault(read.check))) {
      const { key, values } = destinationFault(read, read.check, currency.network)
      return t(key, values)
    }
    return shown.rejected ? t('withdraw.address.refused') : null
  }
  return {
    address: read === null ? typed : address,
    amount: read?.amount ?? null,
    fault: fault(),
    hints: destinationHints(read, currency, decimal).map(({ key, values }) => t(key, values)),
    ready: address !== '' && read?.check.ok !== false,
  }
}
