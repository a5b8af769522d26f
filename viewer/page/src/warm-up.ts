import { cache, Enums, imageLoader, type Types } from '@cornerstonejs/core'
import { decodeImageFrame, wadors } from '@cornerstonejs/dicom-image-loader'
import { startCornerstone } from './cornerstone.ts'
import type { DicomObject } from './dicom-json.ts'
import { drawingEngine } from './drawing-engine.ts'
import { element } from './element.ts'
import { readValueImage } from './value-image.ts'
import { withinTime } from './within-time.ts'

const SCHEME = 'warm-up'
const EDGE = 16
const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1'
const LIMIT_MS = 10_000

const us = (value: number) => ({ vr: 'US', Value: [value] })
const SLICE: DicomObject = {
  '00080060': { vr: 'CS', Value: ['OT'] },
  '00280002': us(1),
  '00280004': { vr: 'CS', Value: ['MONOCHROME2'] },
  '00280010': us(EDGE),
  '00280011': us(EDGE),
  '00280100': us(16),
  '00280101': us(16),
  '00280102': us(15),
  '00280103': us(0),
}

/**
 * Draws a small picture where nobody sees it, before any exam is there: the graphics context, its programs, the first
 * decoder and the code of a stack, which together take most of the wait for a first picture, are ready then.
 */
export async function warmUp(): Promise<void> {
  await startCornerstone()
  await Promise.all([drawOnce(), decodeOnce(), import('./stack-view.ts'), import('./measured-lengths.ts')])
}

async function drawOnce(): Promise<void> {
  const imageId = `${SCHEME}:slice`
  wadors.metaDataManager.add('wadors:slice', SLICE as Parameters<typeof wadors.metaDataManager.add>[1])
  imageLoader.registerImageLoader(SCHEME, () => ({
    promise: Promise.resolve(readValueImage(imageId, SLICE, new Uint8Array(EDGE * EDGE * 2)).image),
  }))
  const place = element('div', { class: 'warm-up', 'aria-hidden': 'true' })
  document.body.append(place)
  const engine = drawingEngine()
  engine.enableElement({ viewportId: SCHEME, type: Enums.ViewportType.STACK, element: place })
  try {
    const viewport = engine.getViewport(SCHEME) as Types.IStackViewport
    const drawn = new Promise<void>((resolve) => {
      place.addEventListener(Enums.Events.IMAGE_RENDERED, () => resolve(), { once: true })
    })
    await viewport.setStack([imageId])
    viewport.render()
    await withinTime(drawn, LIMIT_MS, new AbortController().signal)
  } finally {
    engine.disableElement(SCHEME)
    place.remove()
    if (cache.getImageLoadObject(imageId)) cache.removeImageLoadObject(imageId)
  }
}

/** The worker that decodes pixels starts with its first task. */
async function decodeOnce(): Promise<void> {
  const frame = { rows: EDGE, columns: EDGE, samplesPerPixel: 1, bitsAllocated: 16, pixelRepresentation: 0 }
  await decodeImageFrame(frame, EXPLICIT_LITTLE_ENDIAN, new Uint8Array(EDGE * EDGE * 2), undefined, {}, {})
}
