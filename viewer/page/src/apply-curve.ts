import type { Types } from '@cornerstonejs/core'
import type { GreyCurve } from './grey-curve.ts'

/**
 * Draws values by a curve. A window that somebody sets from then on stretches and moves the curve, until the viewport is
 * reset.
 * @param isByProcessor whether the browser draws by its graphics processor; else it knows windows alone
 * @returns false where the curve is not drawn
 */
export function applyCurve(viewport: Types.IStackViewport, curve: GreyCurve, isByProcessor: boolean): boolean {
  viewport.setProperties({ voiRange: { lower: curve[0]?.value ?? 0, upper: curve.at(-1)?.value ?? 1 } })
  const transfer = isByProcessor ? transferOf(viewport) : undefined
  if (!transfer) return false
  const isInverted = viewport.getProperties().invert === true
  transfer.setNodes(
    curve.map(({ value, level }) => {
      const shade = isInverted ? 1 - level : level
      return { x: value, r: shade, g: shade, b: shade, midpoint: 0.5, sharpness: 0 }
    }),
  )
  return true
}

/** Whether a curve is what draws the viewport: another stack of images has forgotten it. */
export function hasCurve(viewport: Types.IStackViewport, curve: GreyCurve): boolean {
  return transferOf(viewport)?.getSize() === curve.length
}

/** The function that makes colours of values. */
function transferOf(viewport: Types.IStackViewport) {
  const drawn = viewport.getDefaultActor()?.actor as Types.ImageActor | undefined
  return drawn?.getProperty().getRGBTransferFunction(0)
}
