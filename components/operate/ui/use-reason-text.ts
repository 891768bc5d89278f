import { QUARANTINE_REASONS } from '#lib/contract/operate/lists.ts'
import { useConsoleText } from '../context/texts.tsx'

/** The name of a reason for quarantine; one that the page does not know is shown as it is. */
export function useReasonText(): (reason: string) => string {
  const { t } = useConsoleText()
  return (reason) => {
    const known = QUARANTINE_REASONS.find((one) => one === reason)
    return known === undefined ? reason : t(`reason.${known}`)
  }
}
