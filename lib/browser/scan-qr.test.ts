import encodeQR from 'qr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cameraFaultOf, scanQr, type CameraFault } from './scan-qr.ts'

interface Track {
  readonly stop: () => void
  readonly addEventListener: (type: string, listener: () => void) => void
  on: boolean
  end: () => void
}

const newTrack = (): Track => {
  const track: Track = {
    on: true,
    stop: () => {
      track.on = false
    },
    end: () => undefined,
    addEventListener: (_type, listener) => {
      track.end = listener
    },
  }
  return track
}

let track: Track
let camera: () => Promise<{ getTracks: () => readonly Track[] }>
/** What the detector finds in the next pictures; an error is thrown. */
let pictures: (string | null | Error)[]

class Detector {
  static getSupportedFormats = () => Promise.resolve(['qr_code'])
  detect = () => {
    const next = pictures.shift() ?? null
    if (next instanceof Error) return Promise.reject(next)
    return Promise.resolve(next === null ? [] : [{ rawValue: next }])
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  track = newTrack()
  camera = () => Promise.resolve({ getTracks: () => [track] })
  pictures = []
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: () => camera() } })
  vi.stubGlobal('BarcodeDetector', Detector)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const newVideo = () => ({ srcObject: null, play: () => Promise.resolve() }) as unknown as HTMLVideoElement

function scan(video = newVideo()) {
  const seen: string[] = []
  const stop = scanQr(video, {
    onPicture: () => seen.push('picture'),
    onFound: (text) => seen.push(`found ${text}`),
    onFault: (fault) => seen.push(`fault ${fault}`),
  })
  return { seen, stop, video }
}

test('the first code is handed over once, and the camera is off', async () => {
  pictures = [null, null, 'bitcoin:x', 'other']
  const { seen, video } = scan()
  await vi.advanceTimersByTimeAsync(2000)
  expect(seen).toEqual(['picture', 'found bitcoin:x'])
  expect(track.on).toBe(false)
  expect(video.srcObject).toBeNull()
})

test('after the view is closed nothing is found, and the camera is off', async () => {
  pictures = [null, null, null, null, null, 'late']
  const { seen, stop } = scan()
  await vi.advanceTimersByTimeAsync(200)
  stop()
  await vi.advanceTimersByTimeAsync(2000)
  expect(seen).toEqual(['picture'])
  expect(track.on).toBe(false)
})

test('a camera that is allowed only after the view was closed is turned off', async () => {
  let allow = (): void => undefined
  camera = () =>
    new Promise((resolve) => {
      allow = () => resolve({ getTracks: () => [track] })
    })
  const { seen, stop } = scan()
  stop()
  allow()
  await vi.advanceTimersByTimeAsync(500)
  expect(seen).toEqual([])
  expect(track.on).toBe(false)
})

/** A canvas on which each picture of the camera is this code. */
const canvasOf = (text: string) => {
  const cells = encodeQR(text, 'raw', { scale: 4 })
  const data = Uint8ClampedArray.from(cells.flat().flatMap((dark) => [...Array<number>(3).fill(dark ? 0 : 255), 255]))
  const picture = { data, width: cells.length, height: cells.length }
  return { getContext: () => ({ canvas: {}, drawImage: () => undefined, getImageData: () => picture }) }
}

test.each([
  ['a detector without its service', () => Detector],
  ['a browser without a detector', () => undefined],
])('the loaded decoder reads for %s', async (_name, detector) => {
  vi.useRealTimers()
  vi.stubGlobal('BarcodeDetector', detector())
  vi.stubGlobal('document', { createElement: () => canvasOf('bitcoin:x') })
  pictures = [new Error('no service')]
  const { seen } = scan(Object.assign(newVideo(), { videoWidth: 640, videoHeight: 480 }))
  await vi.waitFor(() => expect(seen).toEqual(['picture', 'found bitcoin:x']), 20_000)
  expect(track.on).toBe(false)
})

test('a camera that goes away is a fault', async () => {
  const { seen } = scan()
  await vi.advanceTimersByTimeAsync(300)
  track.end()
  await vi.advanceTimersByTimeAsync(300)
  expect(seen).toEqual(['picture', 'fault failed'])
})

test.each<[string, CameraFault]>([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['TypeError', 'failed'],
])('%s is told as %s', async (name, fault) => {
  camera = () => Promise.reject(new DOMException('no', name))
  const { seen } = scan()
  await vi.advanceTimersByTimeAsync(100)
  expect(seen).toEqual([`fault ${fault}`])
  expect(cameraFaultOf('odd')).toBe('failed')
})
