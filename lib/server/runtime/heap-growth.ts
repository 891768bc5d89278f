/** How much garbage the heap may gather before all of it is collected, in percent of what is in use. */
import { setFlagsFromString } from 'node:v8'

/** Left to itself V8 lets garbage grow to several times what is in use before it collects it: 150 MB after a burst. */
const WITH_FEW_STREAMS = 20
/**
 * While thousands of streams are opened, what comes stays: a collection finds little and reads all of them. 40 percent
 * takes a fifth less CPU than 20 for opening 8,000; 70 takes a third less, and 50 MB more after a burst to all of them.
 */
const WITH_MANY_STREAMS = 40
const MANY_STREAMS = 500

/**
 * Sets the growth for a server without streams. Returns a function that must be called with the number of open streams
 * at each change.
 * @param setFlag sets a flag of V8
 */
export function boundHeapGrowth(setFlag: (flag: string) => void = setFlagsFromString): (streams: number) => void {
  let percent = 0
  const allow = (streams: number): void => {
    const wanted = streams < MANY_STREAMS ? WITH_FEW_STREAMS : WITH_MANY_STREAMS
    if (wanted === percent) return
    percent = wanted
    setFlag(`--heap-growing-percent=${String(percent)}`)
  }
  allow(0)
  return allow
}
