import { element } from '../element.ts'

/**
 * The identity step: asks for the camera and continues after a picture. If there is no camera or it is denied, the user
 * can continue without it. Nothing is sent.
 */
export function cameraStep(onDone: () => void): { readonly step: HTMLElement; readonly stop: () => void } {
  const video = element('video', { playsinline: true, muted: true, 'aria-label': 'Camera picture' })
  const frame = element('div', { class: 'camera' }, element('span', { class: 'face', 'aria-hidden': 'true' }), video)
  const note = element('p', { class: 'note', role: 'status' })
  let stream: MediaStream | null = null

  const stop = (): void => {
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  const next = (): void => {
    stop()
    onDone()
  }
  const main = element('button', { type: 'button', class: 'primary', click: () => void start() }, 'Turn on the camera')
  const other = element('button', { type: 'button', click: next }, 'Use a document instead')

  async function start(): Promise<void> {
    note.textContent = ''
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } })
    } catch {
      frame.dataset['state'] = 'refused'
      note.textContent = 'There is no camera, or its use is not allowed. You can continue without it.'
      other.textContent = 'Continue without a camera'
      return
    }
    video.srcObject = stream
    frame.dataset['state'] = 'on'
    await video.play().catch(() => undefined)
    main.replaceWith(element('button', { type: 'button', class: 'primary', click: next }, 'Take the picture'))
  }

  return { step: element('div', { class: 'identity' }, frame, note, main, other), stop }
}
