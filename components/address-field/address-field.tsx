'use client'

import { useState, type ReactNode, type Ref } from 'react'
import { useTranslations } from '../context/translations.tsx'
import { Button } from '../ui/button.tsx'
import { Field, fieldInput } from '../ui/field.tsx'
import { useMayPaste } from '../ui/use-permitted.ts'
import type { DestinationField } from './use-destination.ts'

/** Input for an address. Typed and pasted text goes to `onType`; `destination` is that text as it was read. */
export function AddressField({
  id,
  label,
  destination: { address, fault, hints },
  tools,
  inputRef,
  onType,
  onBlur,
}: {
  readonly id: string
  readonly label: string
  readonly destination: DestinationField
  /** Further ways to enter an address. */
  readonly tools?: ReactNode
  readonly inputRef: Ref<HTMLTextAreaElement>
  readonly onType: (text: string) => void
  readonly onBlur: () => void
}) {
  const { t } = useTranslations()
  const mayPaste = useMayPaste()
  const [blocked, setBlocked] = useState(false)
  const type = (text: string): void => {
    setBlocked(false)
    // The line ends of a textarea.
    onType(text.replace(/\r\n?/g, '\n'))
  }
  const paste = (): void => {
    navigator.clipboard.readText().then(type, () => setBlocked(true))
  }
  const refused = blocked ? t('withdraw.pasteBlocked') : null
  const hint = refused ?? hints.map((text) => <Line key={text}>{text}</Line>)
  return (
    <Field id={id} label={label} fault={fault !== null && refused !== null ? `${fault} ${refused}` : fault} hint={hint}>
      <textarea
        id={id}
        ref={inputRef}
        dir="ltr"
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        value={address}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-note`}
        className={`${fieldInput} field-sizing-content min-h-[calc(2lh+0.5rem)] basis-full! resize-none py-1 font-mono break-all`}
      />
      <div className="flex grow flex-wrap gap-2 pb-2.5 empty:hidden">
        {mayPaste && (
          <Button variant="chip" onClick={paste}>
            {t('withdraw.paste')}
          </Button>
        )}
        {tools}
      </div>
    </Field>
  )
}

const Line = ({ children }: { readonly children: string }) => <span className="block">{children}</span>
