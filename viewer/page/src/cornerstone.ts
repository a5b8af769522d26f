import { cache, imageLoader, init as initCore, utilities } from '@cornerstonejs/core'
import { init as initLoader, wadors } from '@cornerstonejs/dicom-image-loader'
import { addTool, init as initTools, LengthTool, PanTool, WindowLevelTool, ZoomTool } from '@cornerstonejs/tools'
import type { StudySource } from './dicomweb.ts'
import { texts } from './texts.ts'
import type { ViewerImage } from './series-images.ts'

/** Decoded pixels that are kept; a panel beside other work must not eat the machine. */
const CACHE_BYTES = 512 * 1024 * 1024
const WORKERS = 2

export async function startCornerstone(source: StudySource): Promise<void> {
  await initCore()
  initLoader({ maxWebWorkers: WORKERS, beforeSend: () => ({ Authorization: source.authorization }) })
  initTools()
  for (const tool of [WindowLevelTool, PanTool, ZoomTool, LengthTool]) addTool(tool)
  cache.setMaxCacheSize(CACHE_BYTES)
}

/** Makes an image known to the loader and names it as the loader wants it. */
export function registerImage(source: StudySource, seriesUid: string, image: ViewerImage): string {
  const named = (frame: number) => `wadors:${source.frameAddress(seriesUid, image.sopUid, frame)}`
  const imageId = named(image.frame)
  // The loader looks a later frame up through the first one.
  for (const known of new Set([named(1), imageId])) {
    wadors.metaDataManager.add(known, image.instance as Parameters<typeof wadors.metaDataManager.add>[1])
  }
  return imageId
}

/** @throws ImageFault in words for the screen */
export async function loadImage(imageId: string): Promise<void> {
  const image = await imageLoader.loadAndCacheImage(imageId).catch((cause: unknown) => {
    throw new ImageFault(cause)
  })
  // The JPEG 2000 decoder answers broken input with a picture of no size.
  if (!(image.width > 0 && image.height > 0)) throw new ImageFault(undefined)
}

export class ImageFault extends Error {
  constructor(cause: unknown) {
    super(wordsFor(cause), { cause })
  }
}

export async function drawThumbnail(canvas: HTMLCanvasElement, imageId: string): Promise<void> {
  await loadImage(imageId)
  // The library fixes the size of the canvas it draws on; ours belongs to the tile.
  const drawn = document.createElement('canvas')
  await utilities.loadImageToCanvas({ canvas: drawn, imageId, thumbnail: true, useCPURendering: true })
  canvas.getContext('2d')?.drawImage(drawn, 0, 0, canvas.width, canvas.height)
}

/** The loader rejects with the request itself, or wraps what the decoder said. */
function wordsFor(cause: unknown): string {
  const inner: unknown = typeof cause === 'object' && cause !== null && 'error' in cause ? cause.error : cause
  if (!(inner instanceof XMLHttpRequest)) return texts.imageFailed
  return inner.status === 401 || inner.status === 403 ? texts.viewEnded : texts.imageNotSent
}
