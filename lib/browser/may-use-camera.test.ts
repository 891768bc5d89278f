import { expect, test } from 'vitest'
import { mayUseCamera } from './may-use-camera.ts'

const media = { getUserMedia: () => undefined }
const policy = (allowed: readonly string[]) => ({
  featurePolicy: { features: () => ['camera'], allowsFeature: (name: string) => allowed.includes(name) },
})

test.each([
  ['a browser without that list', {}, { mediaDevices: media }, true],
  ['a frame that may use it', policy(['camera']), { mediaDevices: media }, true],
  ['a frame that may not', policy([]), { mediaDevices: media }, false],
  ['a page without cameras, as over plain http', {}, {}, false],
])('%s', (_name, document, navigator, allowed) => {
  expect(mayUseCamera({ document, navigator })).toBe(allowed)
})
