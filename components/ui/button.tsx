import type { ComponentProps } from 'react'
import { WholeEnd } from './whole-end.tsx'

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'chip' | 'icon'

/**
 * Hover, press and busy change only colours: with a filter or opacity the clickjacking guard reports a covered button.
 */
const BASE =
  'inline-flex items-center justify-center gap-2 text-center font-semibold text-balance transition-colors duration-150 disabled:opacity-55'
const VARIANTS: Readonly<Record<ButtonVariant, string>> = {
  primary:
    'min-h-12 rounded-card border border-accent bg-accent px-4 py-1.5 text-on-accent enabled:hover:bg-[color-mix(in_srgb,var(--accent),var(--ink)_12%)] enabled:active:bg-[color-mix(in_srgb,var(--accent),var(--ink)_24%)] aria-disabled:border-transparent aria-disabled:bg-[color-mix(in_srgb,var(--accent),var(--surface)_45%)]!',
  plain:
    'min-h-12 rounded-card border border-line bg-surface px-4 py-1.5 text-ink enabled:hover:bg-sunken aria-disabled:text-ink-3',
  quiet: 'min-h-11 min-w-11 rounded-card px-3 text-s text-ink hover:bg-sunken aria-disabled:text-ink-3',
  chip: 'min-h-11 min-w-11 rounded-small bg-accent-soft px-2.5 text-s text-accent enabled:hover:bg-[color-mix(in_srgb,var(--accent-soft),var(--accent)_12%)]',
  icon: 'size-11 shrink-0 rounded-card text-ink-2 enabled:hover:bg-sunken',
}

export const buttonClass = (variant: ButtonVariant, more = ''): string => `${BASE} ${VARIANTS[variant]} ${more}`

/**
 * `busy` keeps the button in place and focusable, ignores presses and sets `aria-busy`. With `aria-disabled` alone the
 * button looks disabled, but a press still reaches `onClick`, which says why.
 */
export function Button({
  variant = 'plain',
  busy = false,
  className = '',
  'aria-disabled': disabled = false,
  onClick,
  children,
  ...rest
}: ComponentProps<'button'> & { readonly variant?: ButtonVariant; readonly busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || disabled || undefined}
      aria-busy={busy || undefined}
      className={buttonClass(variant, `shown-whole ${className}`)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {typeof children === 'string' ? <span>{children}</span> : children}
      <WholeEnd />
    </button>
  )
}
