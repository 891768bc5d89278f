'use client'

import type { PageProps } from '../context/page-links.ts'
import { WithdrawalActions } from '../decide/withdrawal-actions.tsx'
import { StoryPage } from './story-page.tsx'

/** Everything about a withdrawal, and its payouts; and what a person may decide about it. */
export default function WithdrawalStoryPage({ params }: PageProps) {
  const id = params['id'] ?? ''
  return <StoryPage of="withdrawals" id={id} actions={<WithdrawalActions id={id} />} />
}
