'use client'

import type { PageProps } from '../context/page-links.ts'
import { StoryPage } from './story-page.tsx'

/** Everything about a transaction of the gateway, and what belongs to it. */
export default function TransactionStoryPage({ params }: PageProps) {
  return <StoryPage of="transactions" id={params['uuid'] ?? ''} />
}
