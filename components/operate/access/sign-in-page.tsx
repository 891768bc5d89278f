'use client'

import { useConsoleText } from '../context/texts.tsx'

/** Shown at every address while nobody is signed in. */
export default function SignInPage() {
  const { t } = useConsoleText()
  return (
    <main className="mx-auto grid max-w-100 gap-4 px-5 py-16">
      <h1 className="text-l font-semibold">{t('signIn.title')}</h1>
    </main>
  )
}
