import { cache, imageLoader, init as initCore, metaData, type Types, utilities } from '@cornerstonejs/core'
import { init as initLoader, wadors } from '@cornerstonejs/dicom-image-loader'
import { addTool, init as initTools, LengthTool, PanTool, WindowLevelTool, ZoomTool } from '@cornerstonejs/tools'
import type { DicomObject } from './dicom-json.ts'
import { findTooLarge, TooLargeError } from './drawable-size.ts'
import type { StudySource } from './dicomweb.ts'
import { RequestError } from './request-error.ts'
import { wordsOfFault } from './fault-words.ts'
import { asColourPicture, bearable, type LibraryPlane, makerOf, planeAsDrawn } from './hard-images.ts'
import { nameOwnImage, registerOwnLoader } from './own-loader.ts'
import type { ViewerImage } from './series-images.ts'

/** Decoded pixels that are kept; a panel beside other work must not eat the machine. */
const CACHE_BYTES = 512 * 1024 * 1024
const WORKERS = 2
/** Before the library's own answers. */
const FIRST = 100_000

let started: Promise<void> | undefined
/** The study whose images are asked for; a page shows one. */
let opened: StudySource | undefined

/** Makes the libraries ready, once for the page; no study is needed for that. */
export function startCornerstone(): Promise<void> {
  started ??= start()
  return started
}

export function askForImagesOf(source: StudySource): void {
  opened = source
  registerOwnLoader(source)
}

async function start(): Promise<void> {
  // One picture is shown at a time. A browser takes the oldest graphics context away at the seventeenth: with the usual
  // seven for each page the full viewer, opened over this one, ended the picture below.
  await initCore({ rendering: { webGlContextCount: 1 }, debug: {} })
  initLoader({ maxWebWorkers: WORKERS, beforeSend: () => ({ ...opened?.headers }) })
  metaData.addProvider(planeProvider, FIRST)
  initTools()
  for (const tool of [WindowLevelTool, PanTool, ZoomTool, LengthTool]) addTool(tool)
  cache.setMaxCacheSize(CACHE_BYTES)
}

/** By id: the same frame as the server draws it, for where the browser cannot. */
const serversPictures = new Map<string, string>()
/** By id: the images that were registered, with their series. */
const registered = new Map<string, { seriesUid: string; image: ViewerImage }>()

/** Makes an image known to the loader and names it as the loader wants it. */
export function registerImage(source: StudySource, seriesUid: string, image: ViewerImage): string {
  const address = (frame: number) => source.frameAddress(seriesUid, image.sopUid, frame)
  const own = address(image.frame)
  const maker = makerOf(image.instance)
  const pictureAddress = `${own}/rendered?overlays=false`
  const picture = nameOwnImage(pictureAddress, { kind: 'server', instance: image.instance })
  describe(pictureAddress, asColourPicture(image.instance))
  registered.set(picture, { seriesUid, image })
  if (maker === 'server') return picture
  // The loader looks a later frame up through the first one.
  for (const known of new Set([address(1), own])) describe(known, bearable(image.instance))
  const imageId = maker === 'values' ? nameOwnImage(own, { kind: 'values', instance: image.instance }) : `wadors:${own}`
  serversPictures.set(imageId, picture)
  registered.set(imageId, { seriesUid, image })
  return imageId
}

function describe(address: string, instance: DicomObject): void {
  wadors.metaDataManager.add(`wadors:${address}`, instance as Parameters<typeof wadors.metaDataManager.add>[1])
}

/** Answers for planes that the library reads wrongly. */
function planeProvider(type: string, imageId: string): unknown {
  if (type !== 'imagePlaneModule') return undefined
  const instance = wadors.metaDataManager.get(imageId) as DicomObject | undefined
  const plane = wadors.metaData.metaDataProvider(type, imageId) as LibraryPlane | undefined
  return instance && plane && planeAsDrawn(plane, instance, imageId.includes('/rendered?'))
}

/**
 * @returns the id of the image that can be drawn: the one asked for, or the server's picture of it
 * @throws ImageFault in words for the screen
 */
export async function loadImage(imageId: string): Promise<string> {
  try {
    await loadWhole(imageId)
    return imageId
  } catch (cause) {
    const fault = new ImageFault(cause)
    const picture = serversPictures.get(imageId)
    if (picture === undefined || !fault.isOfPixels) throw fault
    await loadWhole(picture).catch((second: unknown) => {
      // the server knows why there is no picture, such as that it is lost
      const later = new ImageFault(second)
      throw later.isExplained ? later : fault
    })
    return picture
  }
}

async function loadWhole(imageId: string): Promise<void> {
  const tooLarge = findTooLarge(registered.get(imageId)?.image.instance ?? {})
  if (tooLarge) throw tooLarge
  const image = await imageLoader.loadAndCacheImage(imageId)
  // The JPEG 2000 decoder answers broken input with a picture of no size.
  if (!(image.width > 0 && image.height > 0)) throw new Error('a picture of no size')
}

/** The image that was registered under an id, and its series. */
export function findRegistered(imageId: string): { seriesUid: string; image: ViewerImage } | undefined {
  return registered.get(imageId)
}

export function findLoaded(imageId: string): Types.IImage | undefined {
  return cache.getImage(imageId)
}

export class ImageFault extends Error {
  /** The image came, and its pixels could not be read here. */
  readonly isOfPixels: boolean
  /** The words are the server's own for this image. */
  readonly isExplained: boolean
  constructor(cause: unknown) {
    const inner: unknown = typeof cause === 'object' && cause !== null && 'error' in cause ? cause.error : cause
    super(wordsOfFault(inner), { cause })
    this.isExplained = inner instanceof RequestError && inner.reason !== undefined
    const status = inner instanceof XMLHttpRequest ? inner.status : undefined
    const isOther = inner instanceof RequestError || inner instanceof TooLargeError
    this.isOfPixels = status === 406 || (status === undefined && !isOther)
  }
}

export async function drawThumbnail(canvas: HTMLCanvasElement, imageId: string): Promise<void> {
  const loaded = await loadImage(imageId)
  // The library fixes the size of the canvas it draws on; ours belongs to the tile.
  const drawn = document.createElement('canvas')
  await utilities.loadImageToCanvas({ canvas: drawn, imageId: loaded, thumbnail: true, useCPURendering: true })
  canvas.getContext('2d')?.drawImage(drawn, 0, 0, canvas.width, canvas.height)
}
