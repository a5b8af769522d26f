import { getShouldUseCPURendering, type Types, utilities } from '@cornerstonejs/core'

/**
 * Puts the window and the greys of a stack back. The library puts back the greys of before it inverted a film that stores
 * bright as dark (MONOCHROME1), and goes on as if they were inverted: the film would be shown as its negative.
 */
export function resetGreys(viewport: Types.IStackViewport): void {
  viewport.resetProperties()
  if (getShouldUseCPURendering() || viewport.getProperties().invert !== true) return
  const drawn = viewport.getDefaultActor()?.actor as Types.ImageActor | undefined
  const transfer = drawn?.getProperty().getRGBTransferFunction(0)
  if (transfer) utilities.invertRgbTransferFunction(transfer)
}
