'use client'

import { MERCHANT_SCOPES, type MerchantScope } from '#lib/contract/merchant-scopes.ts'
import { useConsoleText } from '../context/texts.tsx'

/** The scopes with what each allows. */
export function ScopesField({
  value,
  isMissing,
  onChange,
}: {
  readonly value: readonly MerchantScope[]
  readonly isMissing: boolean
  readonly onChange: (scopes: readonly MerchantScope[]) => void
}) {
  const { t } = useConsoleText()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-s font-semibold">{t('merchantKeys.scopes')}</legend>
      {MERCHANT_SCOPES.map((scope) => (
        <label
          key={scope}
          className="flex min-h-11 items-start gap-3 rounded-small border border-line px-3.5 py-2 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="checkbox"
            checked={value.includes(scope)}
            className="mt-1 accent-(--accent)"
            onChange={({ target }) =>
              onChange(MERCHANT_SCOPES.filter((one) => (one === scope ? target.checked : value.includes(one))))
            }
          />
          <span className="min-w-0">
            <b className="block font-semibold">{scope}</b>
            <span className="block text-s text-ink-2">{t(`merchantKeys.may.${scope}`)}</span>
          </span>
        </label>
      ))}
      <p aria-live="polite" className="min-h-5 text-s text-bad">
        {isMissing && t('merchantKeys.scopesMissing')}
      </p>
    </fieldset>
  )
}
