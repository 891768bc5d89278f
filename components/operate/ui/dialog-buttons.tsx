'use client'

import { Button } from '#components/ui/button.tsx'
import { useConsoleText } from '../context/texts.tsx'

/** The buttons at the end of a dialog's form: one closes it, the other submits it. */
export function DialogButtons({
  act,
  busy,
  onClose,
}: {
  /** The label of the button that submits. */
  readonly act: string
  /** Whether the act is under way. */
  readonly busy: boolean
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>{t('act.cancel')}</Button>
      <Button variant="primary" type="submit" busy={busy}>
        {act}
      </Button>
    </div>
  )
}
