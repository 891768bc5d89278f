'use client'

import { createElement, use, useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslations } from '../context/translations.tsx'
import { Button } from './button.tsx'
import { useHydrated } from './hydrated.ts'

/** A part of the page whose code is loaded when it is needed. */
export interface LazyPart<Props extends object> {
  (props: Props): ReactNode
  /** Loads the code in advance. If that fails, it is tried again when the part is shown. */
  readonly preload: () => void
}

/** The bundler's error for a file of the page that could not be loaded. */
const isNotLoaded = (error: unknown): boolean => error instanceof Error && error.name === 'ChunkLoadError'

/** Whether the server answers: without it a reload would end at the browser's error page. */
const isServerThere = (): Promise<boolean> =>
  fetch('/embed', { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Pause between retries while the browser is online: the server may be unavailable for some seconds. */
const RETRY_MS = 2000

/** Each loads the code of one part in advance. */
const inAdvance = new Set<() => void>()
let isIdle = false
let reportIdle: () => void = () => undefined
const idle = new Promise<void>((resolve) => {
  reportIdle = resolve
})

/** Call it when the page has nothing else to load. Parts loaded in advance work without the network. */
export function loadPartsInAdvance(): void {
  isIdle = true
  reportIdle()
  for (const load of inAdvance) load()
}

/**
 * Code that is needed when the user presses a button.
 * @returns a function that loads the code; it resolves with null if that fails, and may be called again
 */
export function lazyCode<Code>(load: () => Promise<Code>): () => Promise<Code | null> {
  let loading: Promise<Code | null> | null = null
  const request = (): Promise<Code | null> => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      if (!isNotLoaded(error)) throw error
      return null
    })
    return loading
  }
  inAdvance.add(() => void request())
  if (isIdle) void request()
  return request
}

/**
 * Like React's `lazy`, but code that could not be loaded does not break the page: a message in place of the part says
 * so, and the code is requested again.
 * @param whenIdle false: not loaded in advance with the other parts
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { whenIdle = true }: { readonly whenIdle?: boolean } = {},
): LazyPart<Props> {
  let loading: Promise<ComponentType<Props> | null> | null = null
  let failed = false
  const request = (): Promise<ComponentType<Props> | null> => {
    loading ??= load().then(
      (loaded) => loaded.default,
      (error: unknown) => {
        if (!isNotLoaded(error)) throw error
        failed = true
        return null
      },
    )
    return loading
  }
  const requestAgain = (): void => {
    if (failed) loading = null
    failed = false
    // An error in the code itself is thrown when the part is shown.
    request().catch(() => undefined)
  }
  function Part(props: Props) {
    const [, renderAgain] = useState(0)
    const loaded = use(request())
    if (loaded !== null) return createElement(loaded, props)
    const retry = (): void => {
      requestAgain()
      renderAgain((turn) => turn + 1)
    }
    const press = async (): Promise<void> => {
      retry()
      // After an upgrade the server has the code only under the name that a new page knows.
      if ((await request()) === null && (await isServerThere())) location.reload()
    }
    return <NotLoaded onRetry={retry} onPress={() => void press()} />
  }
  if (whenIdle) {
    inAdvance.add(requestAgain)
    if (isIdle) requestAgain()
  }
  return Object.assign(Part, { preload: requestAgain })
}

/**
 * A part that the page can do without: nothing stands in its place until its code is loaded, or if that fails.
 * @param soon false: loaded when the page has nothing else to load
 */
export function optionalPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): (props: Props & { readonly soon: boolean }) => ReactNode {
  const request = lazyCode(load)
  let loaded: ComponentType<Props> | null = null
  return function Part({ soon, ...props }) {
    const hydrated = useHydrated()
    const [, renderAgain] = useState(0)
    useEffect(() => {
      const show = async (): Promise<void> => {
        if (!soon) await idle
        loaded = (await request())?.default ?? null
        renderAgain((turn) => turn + 1)
      }
      void show()
    }, [soon])
    return hydrated && loaded && createElement(loaded, props as unknown as Props)
  }
}

/** Tries again by itself. A press loads the page again if the code still does not come. */
function NotLoaded({ onRetry, onPress }: { readonly onRetry: () => void; readonly onPress: () => void }) {
  const { t } = useTranslations()
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    const again = (): void => {
      if (navigator.onLine) retry()
    }
    const timer = setInterval(again, RETRY_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [])
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-4 py-8 text-center" data-testid="not-loaded">
      <p className="text-ink-2">{t('problem.notLoaded')}</p>
      <Button onClick={onPress}>{t('common.retry')}</Button>
    </div>
  )
}
