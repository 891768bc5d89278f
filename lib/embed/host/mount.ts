/** `Cashier.mount`: keeps one frame in its target, sends it tokens, and reports events to the merchant's page. */
import type { FrameMessage } from '#lib/contract/embed-protocol.ts'
import type { CashierErrorCode, CashierEvent, CashierOptions, CashierScript } from '../../../public/embed.d.ts'
import { findTarget } from './find-target.ts'
import { firstHeight, rememberHeight } from './first-height.ts'
import { createFrame, type Frame } from './frame.ts'
import { createLiveness, createRestartLimit, watchForTrouble } from './liveness.ts'
import { checkOptions, readAppearance, requestLaunchToken } from './options.ts'

const NOT_READY_MS = 10_000
/** The frame then offers to try again. A token that comes later is used all the same. */
const TOKEN_LATE_MS = 30_000

/** Runs it at once or, on a page that the browser prerenders, when the user sees the page: until then no frame loads. */
function whenSeen(run: () => void): void {
  if ((document as Document & { readonly prerendering?: boolean }).prerendering === true)
    document.addEventListener('prerenderingchange', run, { once: true })
  else run()
}

/** @param origin the cashier's */
export function createMount(origin: string): CashierScript['mount'] {
  return (target, options: CashierOptions) => {
    checkOptions(target, options)
    const mayRestart = createRestartLimit(Date.now)
    let appearance = readAppearance(options)
    const takes = [...(options.onFile ? (['file'] as const) : []), ...(options.onLink ? (['link'] as const) : [])]
    let container: Element | undefined
    let frame: Frame | undefined
    /** The frame has shown a page with a session. */
    let wasReady = false
    /** The frame shows a page of the cashier. Before, the browser would refuse a message to the cashier's origin. */
    let hasAnswered = false
    /** The last height that `resize` reported. */
    let reported = 0
    /** Requested in advance and not sent yet. */
    let nextToken: Promise<string | null> | undefined
    /** A page of this mount has answered a ping, so from now on silence means a dead frame. */
    let answersPings = false
    /** Set while the frame's page is awaited; stops the timer. */
    let stopWaiting: (() => void) | undefined
    /** The frame's page did not answer within `NOT_READY_MS`. */
    let isLate = false
    let destroyed = false

    const tell = (run: () => void): void => {
      if (destroyed) return
      try {
        run()
      } catch (error) {
        // Thrown later, so that the merchant sees the error but it does not stop the cashier.
        setTimeout(() => {
          throw error
        })
      }
    }
    const emit = (event: CashierEvent): void => tell(() => options.onEvent?.(event))
    const fail = (code: CashierErrorCode, message: string): void => emit({ type: 'error', code, message })

    const setTimer = (run: () => void, ms: number): (() => void) => {
      const started = setTimeout(run, ms)
      return () => clearTimeout(started)
    }
    const stopTimer = (): void => {
      stopWaiting?.()
      stopWaiting = undefined
    }
    const startTimer = (): void => {
      stopTimer()
      isLate = false
      stopWaiting = setTimer(() => {
        stopWaiting = undefined
        isLate = true
        fail(
          'not_ready',
          container
            ? `${origin} did not answer; its EMBED_ORIGINS must have ${location.origin}`
            : `no element matches ${target as string}`,
        )
      }, NOT_READY_MS)
    }

    const requestToken = async (): Promise<string | null> => {
      // One microtask later: if React mounts, destroys and mounts again, the first mount requests nothing.
      await Promise.resolve()
      if (destroyed) return null
      const result = await requestLaunchToken(options.fetchLaunchToken)
      if ('token' in result) return result.token
      fail('token_failed', result.fault)
      return null
    }

    const sendToken = async (to: Frame, type: 'token' | 'fresh_token'): Promise<void> => {
      stopTimer()
      const requested = nextToken ?? requestToken()
      nextToken = undefined
      const stopLate = setTimer(() => {
        if (destroyed || to !== frame) return
        fail('token_failed', 'fetchLaunchToken has not answered for 30 seconds')
        to.send({ type: 'token_failed' })
      }, TOKEN_LATE_MS)
      const token = await requested
      stopLate()
      if (destroyed || to !== frame) return
      if (token === null) {
        to.send({ type: 'token_failed' })
        return
      }
      to.send({ type, token, ...appearance })
      if (type === 'token') startTimer()
    }

    const open = (): void => {
      const before = frame
      wasReady = false
      hasAnswered = false
      reported = 0
      liveness.stop()
      frame = createFrame(origin, appearance, takes)
      nextToken = requestToken()
      if (before?.element.parentNode) {
        frame.element.style.height = before.element.style.height
        before.element.replaceWith(frame.element)
      } else {
        // Begins to load before the storage is read, which takes 10 ms on a slow phone.
        container?.append(frame.element)
        frame.element.style.height = `${firstHeight(container?.clientWidth ?? 0)}px`
      }
      startTimer()
    }

    const liveness = createLiveness({
      ping: () => frame?.send({ type: 'ping' }),
      // Beyond the limit the dead frame stays until the next check.
      onDead: () => {
        if (mayRestart()) open()
      },
      setTimer,
    })

    const restart = (): void => {
      stopTimer()
      emit({ type: 'session_ended' })
      if (destroyed) return
      if (mayRestart()) open()
      else fail('failed', 'too many sessions ended within a minute')
    }

    const handlers: {
      [T in FrameMessage['type']]: (message: Extract<FrameMessage, { type: T }>, from: Frame) => void
    } = {
      token_wanted: (_message, from) => {
        wasReady = false
        void sendToken(from, 'token')
      },
      // The page has no session cookie. If it had one before, the session has ended; if not, this browser blocks
      // cookies.
      fresh_token_wanted: (_message, from) => (wasReady ? restart() : void sendToken(from, 'fresh_token')),
      ready: (_message, from) => {
        stopTimer()
        if (Object.keys(appearance).length > 0) from.send({ type: 'update', ...appearance })
        // A reload within the same session is not reported again.
        if (!wasReady) emit({ type: 'ready' })
        wasReady = true
        // Finds out whether this page answers pings.
        from.send({ type: 'ping' })
      },
      pong: () => {
        answersPings = true
      },
      resize: ({ height }, from) => {
        if (height === reported) return
        // Only the first height: later heights follow a press, so they need no guess.
        if (reported === 0) rememberHeight(from.element.clientWidth, height)
        reported = height
        from.element.style.height = `${height}px`
        emit({ type: 'resize', height })
      },
      transaction: ({ transaction }) => emit({ ...transaction, type: 'transaction' }),
      session_ended: restart,
      close: () => emit({ type: 'close' }),
      file: ({ name, content }) => tell(() => options.onFile?.({ name, content })),
      link: ({ url }) => tell(() => options.onLink?.(url)),
      error: ({ code, message }) => {
        stopTimer()
        fail(code, message)
      },
    }

    const listen = (event: MessageEvent<unknown>): void => {
      const message = frame?.read(event)
      if (!frame || !message) return
      hasAnswered = true
      isLate = false
      liveness.alive()
      ;(handlers[message.type] as (message: FrameMessage, from: Frame) => void)(message, frame)
    }

    const stopLooking = findTarget(target, (element) => {
      container = element
      whenSeen(() => {
        if (!destroyed) open()
      })
    })
    window.addEventListener('message', listen)
    whenSeen(() => {
      if (!container && !destroyed) startTimer()
    })
    const stopWatching = watchForTrouble((trigger) => {
      if (!frame) return
      // Was requested without a network, so the browser's error page is in its place.
      const wasOffline = trigger === 'online' && !hasAnswered
      if (stopWaiting && !wasOffline) return
      // A page that never came is requested again when the network is back, or the user expects it to work. A session's
      // page is pinged; /embed is not.
      if (wasOffline || (isLate && (trigger === 'online' || (!hasAnswered && mayRestart())))) open()
      else if (answersPings && (wasReady || isLate)) liveness.check()
    })

    return {
      update: (changed) => {
        appearance = { ...appearance, ...readAppearance(changed) }
        if (hasAnswered) frame?.send({ type: 'update', ...appearance })
      },
      destroy: () => {
        destroyed = true
        stopLooking()
        stopWatching()
        stopTimer()
        liveness.stop()
        window.removeEventListener('message', listen)
        frame?.element.remove()
        frame = undefined
      },
    }
  }
}
