/** Saves a drawn SVG as a PNG, in a size that prints well. */

const PIXELS = 1024

/** Throws where the browser cannot draw it. */
export async function savePicture(svg: SVGElement, fileName: string): Promise<void> {
  const source = new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' })
  const picture = await rasterize(source)
  saveFile(picture, fileName)
}

/** Offers `content` under a name that every file system takes. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName.replace(/[^\w.-]+/g, '-')
  link.click()
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

async function rasterize(source: Blob): Promise<Blob> {
  const url = URL.createObjectURL(source)
  try {
    const image = new Image(PIXELS, PIXELS)
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = PIXELS
    canvas.height = PIXELS
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no 2d context')
    context.imageSmoothingEnabled = false
    context.drawImage(image, 0, 0, PIXELS, PIXELS)
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
