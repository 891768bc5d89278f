'use client'

import type { ComponentProps } from 'react'
import { Button } from '#components/ui/button.tsx'
import { useConsoleText } from '../context/texts.tsx'

/**
 * Closes a dialog that shows what an act has done. It may stand where the act's button was: the second press of a double
 * click does not close it.
 */
export function CloseButton({
  onClose,
  children,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'onClick'> & { readonly onClose: () => void }) {
  return (
    <Button
      {...rest}
      onClick={({ detail }) => {
        if (detail < 2) onClose()
      }}
    >
      {children}
    </Button>
  )
}

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
