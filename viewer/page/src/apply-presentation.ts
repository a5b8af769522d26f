import type { Types } from '@cornerstonejs/core'
import type { Area } from './graphics.ts'
import type { Presentation } from './presentation-state.ts'

/** Window, sense, turn and displayed area of a presentation; the viewport is as after a reset before. */
export function applyPresentation(viewport: Types.IStackViewport, presentation: Presentation): void {
  const { window, isInverted, rotation, isFlipped, area } = presentation
  viewport.setProperties({
    ...(window ? { voiRange: window } : {}),
    ...(isInverted === undefined ? {} : { invert: isInverted }),
  })
  // the library flips before it turns, a presentation state after (PS3.3 C.10.6)
  const turn = isFlipped ? (360 - rotation) % 360 : rotation
  if (rotation !== 0 || isFlipped) viewport.setViewPresentation({ rotation: turn, flipHorizontal: isFlipped })
  if (area) showArea(viewport, area, rotation % 180 !== 0)
}

/** Fits a part of the image into the screen. */
function showArea(viewport: Types.IStackViewport, area: Area, isOnItsSide: boolean): void {
  const data = viewport.getImageData()
  const toWorld = data?.imageData.indexToWorld
  if (!data || !toWorld) return
  const [columns, rows] = data.dimensions
  const isWhole = area.left <= 0 && area.top <= 0 && area.right >= columns && area.bottom >= rows
  if (isWhole) return
  const centerOf = (left: number, top: number, right: number, bottom: number) =>
    toWorld([(left + right) / 2 - 0.5, (top + bottom) / 2 - 0.5, 0]) as Types.Point3
  const [columnMm, rowMm] = data.spacing
  const sides = [(area.right - area.left) * columnMm, (area.bottom - area.top) * rowMm]
  const [widthMm = 1, heightMm = 1] = isOnItsSide ? sides.toReversed() : sides
  const { clientWidth, clientHeight } = viewport.element
  const to = centerOf(area.left, area.top, area.right, area.bottom)
  const from = centerOf(0, 0, columns, rows)
  const moved = (point: Types.Point3 | undefined) =>
    (point ?? from).map((part, at) => part + (to[at] ?? 0) - (from[at] ?? 0)) as Types.Point3
  const { focalPoint, position } = viewport.getCamera()
  viewport.setCamera({
    focalPoint: moved(focalPoint),
    position: moved(position),
    parallelScale: Math.max(heightMm, (widthMm * clientHeight) / Math.max(1, clientWidth)) / 2,
  })
}
