'use client'

import { createContext, use } from 'react'
import type { SignedInOperator } from '#lib/contract/operate/operators.ts'

/** The operator who is signed in. */
export const OperatorContext = createContext<SignedInOperator | null>(null)

export function useOperator(): SignedInOperator {
  const operator = use(OperatorContext)
  if (!operator) throw new Error('useOperator outside OperatorContext')
  return operator
}
