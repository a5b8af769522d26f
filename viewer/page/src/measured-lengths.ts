import { eventTarget, type Types } from '@cornerstonejs/core'
import { Enums, LengthTool, type Types as ToolTypes } from '@cornerstonejs/tools'
import { findRegistered } from './cornerstone.ts'
import { type DicomObject, numberOf } from './dicom-json.ts'
import { drawingEngine, VIEWPORT } from './drawing-engine.ts'
import type { MeasuredLength } from './length-report.ts'

const { ANNOTATION_COMPLETED, ANNOTATION_MODIFIED, ANNOTATION_REMOVED } = Enums.Events

type Point = readonly [number, number]

/** Calls back with the lengths that were drawn in this page, as often as one comes, is moved or goes. */
export function hearLengths(handle: (lengths: MeasuredLength[]) => void): void {
  const byUid = new Map<string, MeasuredLength>()
  const tell = () => handle([...byUid.values()])
  const note = ({ detail }: Event & { detail?: { annotation?: ToolTypes.Annotation } }) => {
    const length = detail?.annotation && readLength(detail.annotation)
    if (length) byUid.set(length.uid, length)
    if (length) tell()
  }
  eventTarget.addEventListener(ANNOTATION_COMPLETED, note)
  eventTarget.addEventListener(ANNOTATION_MODIFIED, note)
  eventTarget.addEventListener(
    ANNOTATION_REMOVED,
    ({ detail }: Event & { detail?: { annotation?: ToolTypes.Annotation } }) => {
      if (byUid.delete(detail?.annotation?.annotationUID ?? '')) tell()
    },
  )
}

/** A finished length on the image that is shown, where somebody has just drawn or moved it. */
function readLength(drawn: ToolTypes.Annotation): MeasuredLength | undefined {
  const { annotationUID: uid, metadata, data } = drawn
  const imageId = metadata?.referencedImageId ?? ''
  const known = findRegistered(imageId)
  const viewport = drawingEngine().getViewport(VIEWPORT) as Types.IStackViewport | undefined
  if (metadata?.toolName !== LengthTool.toolName || !uid || !known || viewport?.getCurrentImageId() !== imageId)
    return undefined
  const stats = Object.values(data.cachedStats ?? {})[0] as { length?: unknown; unit?: unknown } | undefined
  const [from, to] = (data.handles?.points ?? []).map((point) => placeOf(point, viewport, known.image.instance))
  if (typeof stats?.length !== 'number' || !(stats.length > 0) || !from || !to) return
  const unit = typeof stats.unit === 'string' && stats.unit.startsWith('mm') ? 'mm' : 'px'
  return { uid, ...known, points: [from, to], value: stats.length, unit }
}

/** Columns and rows of the stored image, of which the server may have sent a picture of another size. */
function placeOf(point: Types.Point3, viewport: Types.IStackViewport, instance: DicomObject): Point | undefined {
  const shown = viewport.getImageData()
  const index = shown?.imageData.worldToIndex?.(point)
  const [width, height] = shown?.dimensions ?? []
  if (!index || !width || !height) return undefined
  const columns = numberOf(instance, '00280011') ?? width
  const rows = numberOf(instance, '00280010') ?? height
  return [((index[0] ?? 0) + 0.5) * (columns / width), ((index[1] ?? 0) + 0.5) * (rows / height)]
}
