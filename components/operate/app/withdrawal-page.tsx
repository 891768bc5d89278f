'use client'

import type { PageProps } from '../context/page-links.ts'
import { StoryPage } from '../story/story-page.tsx'
import { storyActions } from './story-actions.tsx'

/** The story of a withdrawal, and what an operator may decide about it. */
export default function WithdrawalPage({ params }: PageProps) {
  return <StoryPage of="withdrawals" id={params['id'] ?? ''} actions={storyActions} />
}
