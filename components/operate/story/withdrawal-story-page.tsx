'use client'

import type { PageProps } from '../context/page-links.ts'
import { StoryPage, type StoryActions } from './story-page.tsx'

/** Everything about a withdrawal, and its payouts. */
export default function WithdrawalStoryPage({ params, actions }: PageProps & StoryActions) {
  return <StoryPage of="withdrawals" id={params['id'] ?? ''} actions={actions} />
}
