'use client'

import type { PageProps } from '../context/page-links.ts'
import { StoryPage } from '../story/story-page.tsx'
import { storyActions } from './story-actions.tsx'

/** The story of a transaction; of a payout of ours, with what an operator may decide about its withdrawal. */
export default function TransactionPage({ params }: PageProps) {
  return <StoryPage of="transactions" id={params['uuid'] ?? ''} actions={storyActions} />
}
