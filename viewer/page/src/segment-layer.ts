import type { StudySource } from './dicomweb.ts'
import { type CanvasLayer, createCanvasLayer } from './canvas-layer.ts'
import { readPart } from './read-part.ts'
import type { LaidSegment, Segmentation } from './segmentation.ts'

const EXPLICIT = 'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1'
const INSIDE_ALPHA = 90
const EDGE_ALPHA = 230
const MOST_FRAMES_KEPT = 500

type SegmentLayer = Pick<CanvasLayer, 'place' | 'setOn'> & {
  /** Draws the segments on one image and waits for those that the server still has. */
  show: (shown: { segments: readonly LaidSegment[]; width: number; height: number } | undefined) => Promise<void>
}

/** Segmentations over the picture: filled thinly, so that the picture is seen through them, within a clear edge. */
export function createSegmentLayer(host: HTMLElement, source: StudySource): SegmentLayer {
  const layer = createCanvasLayer(host)
  const frames = new Map<string, Promise<ImageBitmap | undefined>>()
  let drawing = 0

  function frameOf({ segmentation, frame, segment }: LaidSegment): Promise<ImageBitmap | undefined> {
    const address = source.frameAddress(segmentation.seriesUid, segmentation.sopUid, frame)
    const known = frames.get(address)
    if (known) return known
    const asking = source
      .fetchBytes(address, EXPLICIT)
      .then(async (response) => readPart(new Uint8Array(await response.arrayBuffer())))
      .then((bytes) => createImageBitmap(paintFrame(segmentation, bytes, segment.colour)))
      .catch(() => undefined) // the picture is there without it
    const oldest = frames.keys().next().value
    if (frames.size >= MOST_FRAMES_KEPT && oldest !== undefined) frames.delete(oldest)
    frames.set(address, asking)
    return asking
  }

  return {
    place: layer.place,
    setOn: layer.setOn,
    show: async (shown) => {
      const mine = ++drawing
      layer.clear()
      if (!shown || shown.segments.length === 0) return
      const pictures = await Promise.all(shown.segments.map(frameOf))
      const paint = mine === drawing ? layer.begin(shown.width, shown.height) : undefined
      if (!paint) return
      paint.imageSmoothingEnabled = false
      shown.segments.forEach(({ matrix }, at) => {
        const picture = pictures[at]
        if (!picture) return
        paint.setTransform(...matrix)
        paint.drawImage(picture, 0, 0)
      })
      layer.finish(pictures.some((picture) => picture !== undefined))
    },
  }
}

function paintFrame(segmentation: Segmentation, bytes: Uint8Array, [red, green, blue]: readonly number[]): ImageData {
  const { rows, columns, isBits, largest } = segmentation
  const share = (row: number, column: number) => {
    if (row < 0 || column < 0 || row >= rows || column >= columns) return 0
    const at = row * columns + column
    return isBits ? ((bytes[at >> 3] ?? 0) >>> (at & 7)) & 1 : (bytes[at] ?? 0) / largest
  }
  const image = new ImageData(columns, rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const own = share(row, column)
      if (own === 0) continue
      const isEdge =
        isBits &&
        !(share(row - 1, column) && share(row + 1, column) && share(row, column - 1) && share(row, column + 1))
      const alpha = isEdge ? EDGE_ALPHA : Math.min(1, own) * INSIDE_ALPHA
      image.data.set([red ?? 0, green ?? 0, blue ?? 0, alpha], (row * columns + column) * 4)
    }
  }
  return image
}
