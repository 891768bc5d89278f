'use client'

import type { ComponentProps } from 'react'

/** A link with client-side navigation; the browser handles clicks with a modifier key. */
export function NavLink({ onGo, ...rest }: Omit<ComponentProps<'a'>, 'onClick'> & { readonly onGo: () => void }) {
  return (
    <a
      {...rest}
      onClick={(event) => {
        const { button, metaKey, ctrlKey, shiftKey, altKey } = event
        if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
        event.preventDefault()
        onGo()
      }}
    />
  )
}
