/** Saves files from the page. */

/** Large enough to print. */
const PNG_PIXELS = 1024

/** Saves an SVG as a PNG. @throws if the browser cannot render it */
export async function savePng(svg: SVGElement, fileName: string): Promise<void> {
  const image = svg.cloneNode(true) as SVGElement
  for (const side of ['width', 'height']) image.setAttribute(side, String(PNG_PIXELS))
  const source = new Blob([new XMLSerializer().serializeToString(image)], { type: 'image/svg+xml' })
  saveFile(await rasterize(source), fileName)
}

type Taker = (content: Blob, fileName: string) => void
let taker: Taker | null = null

/** Whether files go to somebody else than the browser, which then cannot print either. */
export const areFilesGiven = (): boolean => taker !== null

/** From now on files go there instead of to the browser. Returns a function that ends it. */
export function giveFilesTo(given: Taker): () => void {
  taker = given
  return () => {
    if (taker === given) taker = null
  }
}

/** Saves `content`; characters that a file system may refuse are replaced in the name. */
export function saveFile(content: Blob, name: string): void {
  const fileName = name.replace(/[^\w.-]+/g, '-')
  if (taker !== null) {
    taker(content, fileName)
    return
  }
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has started to read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

async function rasterize(source: Blob): Promise<Blob> {
  const url = URL.createObjectURL(source)
  try {
    const image = new Image(PNG_PIXELS, PNG_PIXELS)
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = PNG_PIXELS
    canvas.height = PNG_PIXELS
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no 2d context')
    context.imageSmoothingEnabled = false
    context.drawImage(image, 0, 0, PNG_PIXELS, PNG_PIXELS)
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/png')
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
