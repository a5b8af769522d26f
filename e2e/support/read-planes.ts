/// <reference lib="dom" />
import type { Frame } from 'playwright-core'
import { type Box, drawnBoxes, MARKED_EDGE } from './marked-study.ts'

/** The grey of each pixel that planes cover in a viewer, row by row; nothing where the image is seen. */
export type CoveredPixels = (number | undefined)[][]

export function readPlanes(frame: Frame): Promise<CoveredPixels> {
  return frame.evaluate(() => {
    const drawn = document.querySelector<HTMLCanvasElement>('canvas.overlays:not([hidden])')
    const { data, width } = drawn?.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height) ?? {}
    if (!data || !width) return []
    const rows: (number | undefined)[][] = []
    for (let at = 0; at < data.length; at += 4) {
      if ((at / 4) % width === 0) rows.push([])
      rows.at(-1)?.push(data[at + 3] === 0 ? undefined : data[at])
    }
    return rows
  })
}

export function expectedPlanes(greyAt: (row: number, column: number) => number | undefined): CoveredPixels {
  return Array.from({ length: MARKED_EDGE }, (_row, row) =>
    Array.from({ length: MARKED_EDGE }, (_column, column) => greyAt(row, column)),
  )
}

export function isIn({ left, top, width, height }: Box, row: number, column: number): boolean {
  return row >= top && row < top + height && column >= left && column < left + width
}

/** The planes of the marked image itself: one filled, and the outline of a region. */
export function ownPlaneAt(row: number, column: number): number | undefined {
  const { plane, region } = drawnBoxes
  const isInside = [
    [row - 1, column],
    [row + 1, column],
    [row, column - 1],
    [row, column + 1],
  ].every(([y = 0, x = 0]) => isIn(region, y, x))
  return isIn(plane, row, column) || (isIn(region, row, column) && !isInside) ? 255 : undefined
}

/** The planes of the marked image under its presentation state, with the bits of the state's shutter. */
export function coveredPlaneAt(shutterGrey: number) {
  const { shutter, shown } = drawnBoxes
  return (row: number, column: number): number | undefined =>
    ownPlaneAt(row, column) ?? (isIn(shown, row, column) ? 255 : isIn(shutter, row, column) ? shutterGrey : undefined)
}
