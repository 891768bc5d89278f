'use client'

import type { PageProps } from '../context/page-links.ts'
import { StoryPage, type StoryActions } from './story-page.tsx'

/** Everything about a transaction of the gateway, and what belongs to it. */
export default function TransactionStoryPage({ params, actions }: PageProps & StoryActions) {
  return <StoryPage of="transactions" id={params['uuid'] ?? ''} actions={actions} />
}
