import type { StudySource } from './dicomweb.ts'
import { type CanvasLayer, createCanvasLayer } from './canvas-layer.ts'
import { readPart } from './read-part.ts'
import { paintSegments } from './paint-segments.ts'
import type { LaidSegment } from './segmentation.ts'

const EXPLICIT = 'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1'
const MOST_FRAMES_STORED = 500

type SegmentLayer = Pick<CanvasLayer, 'place' | 'setOn'> & {
  /**
   * Draws the segments on one image and waits for those that the server still has.
   * @returns false where some did not come; they are asked for again when the image is shown again
   */
  show: (shown: { segments: readonly LaidSegment[]; width: number; height: number } | undefined) => Promise<boolean>
}

/** Segmentations over the picture: filled thinly, so that the picture is seen through them, within a clear edge. */
export function createSegmentLayer(host: HTMLElement, source: StudySource): SegmentLayer {
  const layer = createCanvasLayer(host)
  const frames = new Map<string, Promise<ImageBitmap>>()
  let drawing = 0

  function frameOf({ segmentation, frame, segments }: LaidSegment): Promise<ImageBitmap> {
    const address = source.frameAddress(segmentation.seriesUid, segmentation.sopUid, frame)
    const known = frames.get(address)
    if (known) return known
    const asking = source
      .fetchBytes(address, EXPLICIT)
      .then(async (response) => readPart(new Uint8Array(await response.arrayBuffer())))
      .then((bytes) => {
        const { rows, columns } = segmentation
        const painted = paintSegments(segmentation, bytes, segments)
        return createImageBitmap(new ImageData(painted, columns, rows))
      })
    asking.catch(() => frames.delete(address))
    const oldest = frames.keys().next().value
    if (frames.size >= MOST_FRAMES_STORED && oldest !== undefined) frames.delete(oldest)
    frames.set(address, asking)
    return asking
  }

  return {
    place: layer.place,
    setOn: layer.setOn,
    show: async (shown) => {
      const mine = ++drawing
      layer.clear()
      if (!shown || shown.segments.length === 0) return true
      const pictures = await Promise.all(shown.segments.map((one) => frameOf(one).catch(() => undefined)))
      const isWhole = pictures.every((picture) => picture !== undefined)
      const paint = mine === drawing ? layer.begin(shown.width, shown.height) : undefined
      if (!paint) return isWhole
      paint.imageSmoothingEnabled = false
      shown.segments.forEach(({ matrix }, at) => {
        const picture = pictures[at]
        if (!picture) return
        paint.setTransform(...matrix)
        paint.drawImage(picture, 0, 0)
      })
      layer.finish(pictures.some((picture) => picture !== undefined))
      return isWhole
    },
  }
}
