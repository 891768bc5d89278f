'use client'

import type { Story } from '#lib/contract/operate/story.ts'
import { WithdrawalActions } from '../decide/withdrawal-actions.tsx'

/** What an operator may do about what a story is about. */
export const storyActions = ({ withdrawal_id: id }: Story) => id !== null && <WithdrawalActions id={id} />
