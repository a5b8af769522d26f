import { eventTarget, type Types } from '@cornerstonejs/core'
import { annotation as annotations, Enums, LengthTool, type Types as ToolTypes, utilities } from '@cornerstonejs/tools'
import { findRegistered } from './cornerstone.ts'
import { type DicomObject, numberOf } from './dicom-json.ts'
import { drawingEngine, VIEWPORT } from './drawing-engine.ts'
import { createLengthBook } from './length-book.ts'
import type { MeasuredLength } from './length-report.ts'
import { lengthUnitOf } from './length-unit.ts'

const { ANNOTATION_COMPLETED, ANNOTATION_MODIFIED, ANNOTATION_REMOVED } = Enums.Events

type Point = readonly [number, number]

type LineEvent = Event & { detail?: { annotation?: ToolTypes.Annotation; changeType?: Enums.ChangeTypes } }

/** A line that is drawn by keys. */
export type KeyedLength = {
  /** @param to in CSS pixels of the picture */
  moveEnd: (to: Types.Point2) => void
  finish: () => void
  drop: () => void
}

/**
 * Calls back with the finished lengths of this page, as often as one comes, is moved or goes.
 * @param handle also gets the id of the line that was touched last
 */
export function hearLengths(handle: (lengths: MeasuredLength[], last: string | undefined) => void): void {
  const book = createLengthBook(readLength, handle)
  eventTarget.addEventListener(ANNOTATION_COMPLETED, ({ detail }: LineEvent) => {
    if (detail?.annotation?.metadata?.toolName === LengthTool.toolName) book.finish(detail.annotation)
  })
  eventTarget.addEventListener(ANNOTATION_MODIFIED, ({ detail }: LineEvent) => {
    if (detail?.annotation && detail.changeType === Enums.ChangeTypes.StatsUpdated) book.reckon(detail.annotation)
  })
  eventTarget.addEventListener(ANNOTATION_REMOVED, ({ detail }: LineEvent) => {
    if (detail?.annotation) book.remove(detail.annotation)
  })
}

/**
 * A new line of no length at a place of the picture, in CSS pixels; undefined while no image is there. Its length is
 * reckoned as its second end moves.
 */
export function beginLength(at: Types.Point2): KeyedLength | undefined {
  const viewport = drawingEngine().getViewport(VIEWPORT) as Types.IStackViewport | undefined
  if (!viewport?.getCurrentImageId()) return undefined
  const from = viewport.canvasToWorld(at)
  const line = LengthTool.createAnnotationForViewport(viewport, {
    data: { handles: { points: [from, [...from]] } },
  }) as ToolTypes.Annotation & { data: { handles: { points: Types.Point3[] } } }
  annotations.state.addAnnotation(line, viewport.element)
  const uid = line.annotationUID ?? ''
  const draw = () => utilities.triggerAnnotationRenderForViewportIds([VIEWPORT])
  return {
    moveEnd: (to) => {
      line.data.handles.points[1] = viewport.canvasToWorld(to)
      line.invalidated = true
      draw()
    },
    finish: () => {
      annotations.state.triggerAnnotationCompleted(line)
      draw()
    },
    drop: () => removeLength(uid),
  }
}

export function removeLength(uid: string): void {
  annotations.state.removeAnnotation(uid)
  utilities.triggerAnnotationRenderForViewportIds([VIEWPORT])
}

/** A line on the image that is shown as a length, where a report has a unit for it. */
function readLength(drawn: ToolTypes.Annotation): MeasuredLength | 'elsewhere' | undefined {
  const { annotationUID: uid, metadata, data } = drawn
  const imageId = metadata?.referencedImageId ?? ''
  const known = findRegistered(imageId)
  const viewport = drawingEngine().getViewport(VIEWPORT) as Types.IStackViewport | undefined
  if (metadata?.toolName !== LengthTool.toolName || !uid || !known) return undefined
  if (viewport?.getCurrentImageId() !== imageId) return 'elsewhere'
  const stats = Object.values(data.cachedStats ?? {})[0] as { length?: unknown; unit?: unknown } | undefined
  const [from, to] = (data.handles?.points ?? []).map((point) => placeOf(point, viewport, known.image.instance))
  if (typeof stats?.length !== 'number' || !(stats.length > 0) || !from || !to) return
  const unit = lengthUnitOf(stats.unit, known.image.instance)
  return unit && { uid, ...known, points: [from, to], value: stats.length, unit }
}

/** A place in columns and rows. Undefined on a picture of another size than the image: what is measured there is not of its pixels. */
function placeOf(point: Types.Point3, viewport: Types.IStackViewport, instance: DicomObject): Point | undefined {
  const shown = viewport.getImageData()
  const index = shown?.imageData.worldToIndex?.(point)
  const [width, height] = shown?.dimensions ?? []
  if (!index) return undefined
  if (width !== numberOf(instance, '00280011') || height !== numberOf(instance, '00280010')) return undefined
  return [(index[0] ?? 0) + 0.5, (index[1] ?? 0) + 0.5]
}
