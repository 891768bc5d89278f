'use client'

import { useEffect, useState } from 'react'
import type { AddressCheck } from '#lib/addresses/index.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

type Check = (network: string, address: string) => AddressCheck

/** The checks of addresses, too heavy for the first load: fetched once the person begins with the form. */
export function useAddressCheck(begun: boolean): Check | null {
  const [check, setCheck] = useState<{ readonly run: Check } | null>(null)
  useEffect(() => {
    if (!begun) return undefined
    let gone = false
    import('#lib/addresses/index.ts').then(
      ({ checkAddress }) => {
        if (!gone) setCheck({ run: checkAddress })
      },
      // Without them the server checks; nothing is lost but the early word.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [begun])
  return check?.run ?? null
}

type Fault = Extract<AddressCheck, { ok: false }>

const FAULT_WORDS: Readonly<Record<Fault['fault'], MessageKey>> = {
  empty: 'withdraw.address.empty',
  too_long: 'withdraw.address.tooLong',
  not_visible_ascii: 'withdraw.address.characters',
  wrong_network: 'withdraw.address.otherNetwork',
  testnet: 'withdraw.address.testnet',
  bad_checksum: 'withdraw.address.mistake',
  malformed: 'withdraw.address.malformed',
}

const FAMILY_NAMES: Readonly<Record<NonNullable<Fault['looksLike']>, string>> = {
  bitcoin: 'Bitcoin',
  bitcoin_cash: 'Bitcoin Cash',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum',
  tron: 'Tron',
  solana: 'Solana',
}

/** What is wrong with an address, as a message and its values. */
export function addressFaultWords(
  fault: Fault,
  network: string,
): { readonly key: MessageKey; readonly values: Readonly<Record<string, string>> } {
  if (fault.looksLike !== undefined)
    return { key: 'withdraw.address.looksLike', values: { looksLike: FAMILY_NAMES[fault.looksLike], network } }
  return { key: FAULT_WORDS[fault.fault], values: { network } }
}

/** Worth saying while the person still types: no more letters will mend it. */
export const isFinal = (fault: Fault): boolean =>
  fault.fault === 'wrong_network' || fault.fault === 'testnet' || fault.fault === 'too_long'
