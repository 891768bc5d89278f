/** `Cashier.mount`: keeps one frame in its target, gives it tokens, and tells the merchant's page what happens. */
import type { FrameMessage } from '#lib/contract/embed.ts'
import type { CashierErrorCode, CashierEvent, CashierOptions, CashierScript } from '../../public/embed.d.ts'
import { findTarget } from './find-target.ts'
import { createFrame, type Frame } from './frame.ts'
import { askLaunchToken } from './launch-token.ts'
import { checkOptions, readLooks } from './options.ts'
import { createRestartLimit } from './restart-limit.ts'

const NOT_READY_MS = 10_000

/** @param origin the cashier's */
export function createMount(origin: string): CashierScript['mount'] {
  return (target, options: CashierOptions) => {
    checkOptions(target, options)
    const mayRestart = createRestartLimit(Date.now)
    let looks = readLooks(options)
    let place: Element | undefined
    let frame: Frame | undefined
    /** The page in the frame has been there with a session. */
    let wasReady = false
    /** Asked for and not handed over yet. */
    let nextToken: Promise<string | null> | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let destroyed = false

    const emit = (event: CashierEvent): void => {
      if (destroyed) return
      try {
        options.onEvent?.(event)
      } catch (error) {
        // The merchant's mistake is the merchant's to see, and must not stop us.
        setTimeout(() => {
          throw error
        })
      }
    }
    const fail = (code: CashierErrorCode, message: string): void => emit({ type: 'error', code, message })

    const answered = (): void => clearTimeout(timer)
    const expectAnswer = (): void => {
      answered()
      timer = setTimeout(() => {
        fail('not_ready', place ? `${origin} did not answer` : `nothing on the page matches ${target as string}`)
      }, NOT_READY_MS)
    }

    const askToken = async (): Promise<string | null> => {
      // Later than the caller: where React mounts, destroys and mounts again, the first one asks for nothing.
      await Promise.resolve()
      if (destroyed) return null
      const answer = await askLaunchToken(options.fetchLaunchToken)
      if ('token' in answer) return answer.token
      fail('token_failed', answer.fault)
      return null
    }

    const giveToken = async (to: Frame, type: 'token' | 'fresh_token'): Promise<void> => {
      answered()
      const asked = nextToken ?? askToken()
      nextToken = undefined
      const token = await asked
      if (destroyed || to !== frame) return
      if (token === null) {
        to.tell({ type: 'token_failed' })
      } else if (type === 'token') {
        to.tell({ type, token, ...looks })
        expectAnswer()
      } else {
        to.tell({ type, token })
      }
    }

    const open = (): void => {
      const before = frame
      wasReady = false
      frame = createFrame(origin, looks)
      nextToken = askToken()
      if (before?.element.parentNode) {
        frame.element.style.height = before.element.style.height
        before.element.replaceWith(frame.element)
      } else {
        place?.append(frame.element)
      }
      expectAnswer()
    }

    const beginAnew = (): void => {
      answered()
      emit({ type: 'session_ended' })
      if (destroyed) return
      if (mayRestart()) open()
      else fail('failed', 'the session ends again and again')
    }

    const hear: { [T in FrameMessage['type']]: (message: Extract<FrameMessage, { type: T }>, from: Frame) => void } = {
      token_wanted: (_, from) => {
        wasReady = false
        void giveToken(from, 'token')
      },
      // Without its cookie. One that had it before is over; one that never had it is not given cookies here.
      fresh_token_wanted: (_, from) => (wasReady ? beginAnew() : void giveToken(from, 'fresh_token')),
      ready: (_, from) => {
        answered()
        if (Object.keys(looks).length > 0) from.tell({ type: 'update', ...looks })
        // A page that was loaded again, with the same session, is ready again; nobody need hear of that.
        if (!wasReady) emit({ type: 'ready' })
        wasReady = true
      },
      resize: ({ height }, from) => {
        from.element.style.height = `${height}px`
        emit({ type: 'resize', height })
      },
      transaction: ({ transaction }) => emit({ ...transaction, type: 'transaction' }),
      session_ended: beginAnew,
      close: () => emit({ type: 'close' }),
      error: ({ code, message }) => {
        answered()
        fail(code, message)
      },
    }

    const listen = (event: MessageEvent<unknown>): void => {
      const message = frame?.read(event)
      if (frame && message) (hear[message.type] as (message: FrameMessage, from: Frame) => void)(message, frame)
    }

    const stopLooking = findTarget(target, (element) => {
      place = element
      open()
    })
    window.addEventListener('message', listen)
    if (!place) expectAnswer()

    return {
      update: (changed) => {
        looks = { ...looks, ...readLooks(changed) }
        if (wasReady) frame?.tell({ type: 'update', ...looks })
      },
      destroy: () => {
        destroyed = true
        stopLooking()
        answered()
        window.removeEventListener('message', listen)
        frame?.element.remove()
        frame = undefined
      },
    }
  }
}
