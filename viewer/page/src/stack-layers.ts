import type { Types } from '@cornerstonejs/core'
import { createAnnotationLayer } from './annotation-layer.ts'
import { numberOf } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { createOverlayLayer } from './overlay-layer.ts'
import { type GreyCurve, readGreyCurve } from './grey-curve.ts'
import { drawLengths, type StoredLengths, NO_LENGTHS } from './stored-lengths.ts'
import { type Presentation, presentationOf, type PresentationState, speaksOf } from './presentation-state.ts'
import { createSegmentLayer } from './segment-layer.ts'
import { type Segmentation, segmentsOn } from './segmentation.ts'
import type { ViewerImage } from './series-images.ts'
import { contoursOn, type StructureSet } from './structure-set.ts'

/** Objects of the study that are drawn over its images. */
export type DrawnMarks = {
  segmentations: readonly Segmentation[]
  structureSets: readonly StructureSet[]
  state: PresentationState | undefined
  /** Undefined where something else draws them. */
  lengths?: StoredLengths
}

type ReadCurve = ReturnType<StackLayers['readCurve']>
type StackLayers = {
  setMarks: (marks: DrawnMarks) => void
  /** How the chosen state shows an image; undefined where no state is chosen or it does not speak of the image. */
  presentationOf: (image: ViewerImage | undefined) => Presentation | undefined
  /** The curve that tables make of the values of an image; undefined where none speak. */
  readCurve: (image: ViewerImage) => Promise<GreyCurve | 'unread' | undefined>
  /** @returns false where something did not come from the server; it is asked for again when the image is shown again */
  show: (image: ViewerImage | undefined, drawn: Types.IImage | undefined) => Promise<boolean>
  /** Follows the picture, however it is moved or turned. */
  place: () => void
  setOn: (isOn: boolean) => void
}

/**
 * Everything that lies over the pixels of a stack and can be taken off: overlays, segmentations, annotations.
 * @param viewport undefined while it shows no stack
 */
export function createStackLayers(
  host: HTMLElement,
  source: StudySource,
  viewport: () => Types.IStackViewport | undefined,
): StackLayers {
  const segments = createSegmentLayer(host, source)
  const overlays = createOverlayLayer(host, source)
  const annotations = createAnnotationLayer(host)
  let marks: DrawnMarks = { segmentations: [], structureSets: [], state: undefined }

  function place(): void {
    const shownIn = viewport()
    const data = shownIn?.getImageData()
    const toWorld = data?.imageData.indexToWorld
    if (!shownIn || !data || !toWorld) return
    const [width, height] = data.dimensions
    const at = (x: number, y: number) => {
      const [across, down] = shownIn.worldToCanvas(toWorld([x - 0.5, y - 0.5, 0]) as Types.Point3)
      return [across, down] as const
    }
    for (const layer of [segments, overlays, annotations]) layer.place(at(0, 0), at(width, 0), at(0, height))
  }

  const stateOf = (image: ViewerImage) => (marks.state && speaksOf(marks.state, image) ? marks.state : undefined)
  const curves = new WeakMap<object, Map<PresentationState | undefined, ReadCurve>>()

  function readCurve(image: ViewerImage): ReadCurve {
    const state = stateOf(image)
    const known = curves.get(image) ?? new Map<PresentationState | undefined, ReadCurve>()
    curves.set(image, known)
    const read =
      known.get(state) ??
      readGreyCurve(image, state, source).catch(() => {
        // the picture is there without its table, which is asked for again when the image is shown again
        known.delete(state)
        return 'unread' as const
      })
    known.set(state, read)
    return read
  }

  const ofState = (image: ViewerImage | undefined) =>
    image && marks.state ? presentationOf(marks.state, image) : undefined

  /** In pixels of the image itself, which the picture on the screen may have more of. */
  function drawingOf(image: ViewerImage, { width, height }: { width: number; height: number }) {
    const { shutter, graphics = [] } = ofState(image) ?? {}
    const contours = contoursOn(marks.structureSets, image).map(({ graphic }) => graphic)
    const lengths = drawLengths(marks.lengths ?? NO_LENGTHS, image)
    const [columns, rows] = ['00280011', '00280010'].map((tag) => numberOf(image.instance, tag))
    return {
      shutter,
      graphics: [...contours, ...graphics, ...lengths],
      width: columns ?? width,
      height: rows ?? height,
    }
  }

  return {
    setMarks: (value) => {
      marks = value
    },
    presentationOf: ofState,
    readCurve,
    place,
    show: async (image, drawn) => {
      const size = drawn && { width: drawn.width, height: drawn.height }
      annotations.show(image && size && drawingOf(image, size))
      const shown = image && drawn ? { ...image, image: drawn, state: stateOf(image)?.instance } : undefined
      const laid = image && size ? { segments: segmentsOn(marks.segmentations, image), ...size } : undefined
      const areWhole = await Promise.all([overlays.show(shown), segments.show(laid)])
      place()
      return areWhole.every(Boolean)
    },
    setOn: (isOn) => {
      for (const layer of [segments, overlays, annotations]) layer.setOn(isOn)
      place()
    },
  }
}
