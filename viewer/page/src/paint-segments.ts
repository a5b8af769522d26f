import type { Segment, Segmentation } from './segmentation.ts'

const INSIDE_ALPHA = 90
const EDGE_ALPHA = 230

type Painted = Pick<Segmentation, 'rows' | 'columns' | 'kind' | 'largest' | 'labelBytes' | 'padding'>

/**
 * The pixels of a frame of a segmentation in the colours of its segments: filled thinly, with a clear edge. Shares have
 * no edge; the larger one is, the less is seen through it.
 * @returns red, green, blue and alpha of each pixel, row by row
 */
export function paintSegments(
  segmentation: Painted,
  bytes: Uint8Array,
  segments: readonly Segment[],
): Uint8ClampedArray<ArrayBuffer> {
  const { rows, columns, kind } = segmentation
  const valueAt = readerOf(segmentation, bytes)
  const colours = new Map(segments.map(({ number, colour }) => [number, colour]))
  const only = kind === 'labels' ? undefined : segments[0]?.colour
  const painted = new Uint8ClampedArray(rows * columns * 4)
  const within = (row: number, column: number) =>
    row < 0 || column < 0 || row >= rows || column >= columns ? 0 : valueAt(row * columns + column)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const own = valueAt(row * columns + column)
      const colour = own === 0 ? undefined : (only ?? colours.get(own))
      if (!colour) continue
      const isEdge =
        kind !== 'shares' &&
        (within(row - 1, column) !== own ||
          within(row + 1, column) !== own ||
          within(row, column - 1) !== own ||
          within(row, column + 1) !== own)
      const alpha = isEdge ? EDGE_ALPHA : (kind === 'shares' ? Math.min(1, own) : 1) * INSIDE_ALPHA
      painted.set([...colour, alpha], (row * columns + column) * 4)
    }
  }
  return painted
}

/** The value of a pixel: 0 outside of every segment; 1, a share of it, or the number of a segment inside. */
function readerOf({ kind, largest, labelBytes, padding }: Painted, bytes: Uint8Array): (at: number) => number {
  if (kind === 'bits') return (at) => ((bytes[at >> 3] ?? 0) >>> (at & 7)) & 1
  if (kind === 'shares') return (at) => (bytes[at] ?? 0) / largest
  const numberAt =
    labelBytes === 1
      ? (at: number) => bytes[at] ?? 0
      : (at: number) => (bytes[at * 2] ?? 0) + (bytes[at * 2 + 1] ?? 0) * 256
  return (at) => {
    const number = numberAt(at)
    return number === padding ? 0 : number
  }
}
