/** Reads a QR code from the camera. Loaded when the user wants to scan. */

/** Why there is no picture from a camera. */
export type CameraFault = 'refused' | 'missing' | 'busy' | 'failed'

/** The names of the errors of `getUserMedia`. */
const FAULTS: ReadonlyMap<string, CameraFault> = new Map([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
])

export const cameraFaultOf = (error: unknown): CameraFault =>
  (error instanceof Error ? FAULTS.get(error.name) : undefined) ?? 'failed'

/** Returns the text of the QR code in the picture; null if there is none. */
type ReadPicture = (video: HTMLVideoElement) => Promise<string | null>

/** The browser's own detector. Not in every browser, and not for QR codes on every device. */
interface Detector {
  readonly detect: (source: HTMLVideoElement) => Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { readonly formats: readonly string[] }): Detector
  readonly getSupportedFormats: () => Promise<readonly string[]>
}

const QR = 'qr_code'

async function ownReader(): Promise<ReadPicture | null> {
  const { BarcodeDetector: Class } = globalThis as { readonly BarcodeDetector?: DetectorClass }
  if (Class === undefined || !(await Class.getSupportedFormats()).includes(QR)) return null
  const detector = new Class({ formats: [QR] })
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
}

/** More pixels do not help to read a code that the user holds before the camera. */
const MOST_PIXELS = 720

async function loadedReader(): Promise<ReadPicture> {
  const { decodeQR } = await import('qr/decode.js')
  const drawing = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  return (video) => {
    const scale = Math.min(1, MOST_PIXELS / Math.max(video.videoWidth, video.videoHeight))
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)]
    if (!drawing || width === 0 || height === 0) return Promise.resolve(null)
    Object.assign(drawing.canvas, { width, height })
    drawing.drawImage(video, 0, 0, width, height)
    try {
      return Promise.resolve(decodeQR(drawing.getImageData(0, 0, width, height)))
    } catch {
      // No code in this picture.
      return Promise.resolve(null)
    }
  }
}

const createReader = async (): Promise<ReadPicture> => (await ownReader().catch(() => null)) ?? loadedReader()

/** Pause between two pictures. */
const EVERY_MS = 120

export interface ScanHandlers {
  /** The camera's picture is on the screen. */
  readonly onPicture: () => void
  /** Called once, with the text of the first code. The camera is off then. */
  readonly onFound: (text: string) => void
  readonly onFault: (fault: CameraFault) => void
}

/** Shows the camera in `video` until a code is found or the returned function is called, which turns it off. */
export function scanQr(video: HTMLVideoElement, { onPicture, onFound, onFault }: ScanHandlers): () => void {
  let stream: MediaStream | null = null
  let stopped = false
  const stop = (): void => {
    stopped = true
    for (const track of stream?.getTracks() ?? []) track.stop()
    video.srcObject = null
  }
  const isStopped = (): boolean => stopped
  const run = async (): Promise<void> => {
    const wanted = { video: { facingMode: 'environment' } }
    const reading = createReader()
    reading.catch(() => undefined)
    stream = await navigator.mediaDevices.getUserMedia(wanted)
    if (isStopped()) {
      stop()
      return
    }
    for (const track of stream.getTracks()) track.addEventListener('ended', () => fail(null))
    video.srcObject = stream
    await video.play()
    onPicture()
    let read = await reading
    while (!isStopped()) {
      const text = await read(video).catch(async () => {
        // The browser's detector may be there without its service.
        read = await loadedReader()
        return null
      })
      if (isStopped()) return
      if (text !== null && text !== '') {
        stop()
        onFound(text)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  }
  const fail = (error: unknown): void => {
    if (isStopped()) return
    stop()
    onFault(cameraFaultOf(error))
  }
  run().catch(fail)
  return stop
}
