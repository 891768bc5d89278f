'use client'

import { PageHead } from '../ui/page-head.tsx'
import { useConsoleText } from '../context/texts.tsx'

/** What needs a person, most urgent first. */
export default function ExceptionsPage() {
  const { t } = useConsoleText()
  return <PageHead title={t('exceptions.title')} />
}
