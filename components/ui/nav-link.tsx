'use client'

import type { ComponentProps } from 'react'

/** A real address that the page goes to by itself; with a modifier key the browser does what it does with links. */
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
