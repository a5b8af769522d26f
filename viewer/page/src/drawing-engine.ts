import { RenderingEngine } from '@cornerstonejs/core'

/** Where the images of the page are shown. */
export const VIEWPORT = 'image'

let engine: RenderingEngine | undefined

/** The one engine of the page. Its graphics context, once made, serves every picture. */
export function drawingEngine(): RenderingEngine {
  engine ??= new RenderingEngine('quick')
  return engine
}
