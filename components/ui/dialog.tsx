'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import { useRef, type ReactNode, type RefObject } from 'react'
import { useTranslations } from '../context/translations.tsx'
import { focusHere } from './focus.ts'
import { useVisibleViewport } from './visible-viewport.ts'

/**
 * A dialog on the visible part of the page, also in a frame as tall as its content. Loaded on demand. Its content
 * scrolls inside and has its own minimum height; with less room, as above an open keyboard, the dialog itself scrolls.
 */
export function Dialog({
  open,
  title,
  titleHidden = false,
  initialFocus,
  onClose,
  children,
}: {
  readonly open: boolean
  readonly title: string
  readonly titleHidden?: boolean
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const close = useRef<HTMLButtonElement>(null)
  /** What had the focus before. */
  const opener = useRef<Element | null>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="absolute inset-0 min-h-full bg-[#0d1220]/45 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Place>
          <Base.Popup
            initialFocus={() => {
              opener.current = document.activeElement
              focusHere((initialFocus ?? close).current)
              return false
            }}
            finalFocus={() => {
              if (opener.current instanceof HTMLElement) focusHere(opener.current)
              return false
            }}
            data-dialog=""
            className="@container relative flex max-h-full w-full max-w-120 flex-col overflow-x-hidden overflow-y-auto overscroll-contain rounded-card border border-line bg-surface shadow-(--shadow) transition-[opacity,translate] duration-150 outline-none data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0"
          >
            <div className="flex shrink-0 items-center justify-between gap-2 ps-5 pe-2 pt-2">
              <Base.Title className={titleHidden ? 'sr-only' : 'min-w-0 text-l font-semibold hyphens-auto'}>
                {title}
              </Base.Title>
              <CloseButton ref={close} />
            </div>
            {children}
          </Base.Popup>
        </Place>
      </Base.Portal>
    </Base.Root>
  )
}

/** The dialog appears and takes the focus when its place is known. */
function Place({ children }: { readonly children: ReactNode }) {
  const known = useVisibleViewport()
  return <Base.Viewport className="dialog-place flex items-start justify-center">{known && children}</Base.Viewport>
}

function CloseButton({ ref }: { readonly ref: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslations()
  return (
    <Base.Close
      ref={ref}
      aria-label={t('common.close')}
      className="ms-auto grid size-11 shrink-0 place-items-center rounded-card text-ink-2 hover:bg-sunken"
    >
      <X aria-hidden size={20} />
    </Base.Close>
  )
}
