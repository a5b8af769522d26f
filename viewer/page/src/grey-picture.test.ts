import { describe, expect, it } from 'vitest'
import { drawGreyPicture, type GreyImage, type GreyTable, type ScreenPlace } from './grey-picture.ts'

const BACKGROUND = 7

const DARKEST = 1000
const STEPS = 4096

/** Steps from the darkest on, each a word of its own. */
function tableOf(lower: number, upper: number): GreyTable {
  return { lower, upper, colours: Uint32Array.from({ length: STEPS }, (_, step) => DARKEST + step) }
}

function draw(size: readonly [number, number], image: GreyImage, place: ScreenPlace, table: GreyTable): number[] {
  const [width, height] = size
  const pixels = new Uint32Array(width * height)
  drawGreyPicture({ pixels, width, height, background: BACKGROUND }, image, place, table)
  return [...pixels]
}

/** The value under the centre of each pixel of the screen, mixed and shaded one by one. */
function expected(size: readonly [number, number], image: GreyImage, place: ScreenPlace, table: GreyTable): number[] {
  const { values, columns, rows } = image
  const valueAt = (column: number, row: number) => {
    const inColumns = Math.min(columns - 1, Math.max(0, column))
    const inRows = Math.min(rows - 1, Math.max(0, row))
    return values[inRows * columns + inColumns] ?? Number.NaN
  }
  return Array.from({ length: size[0] * size[1] }, (_, at) => {
    const [x, y] = [at % size[0], Math.floor(at / size[0])]
    const column = place.origin[0] + x * place.across[0] + y * place.down[0]
    const row = place.origin[1] + x * place.across[1] + y * place.down[1]
    if (column < -0.5 || column >= columns - 0.5 || row < -0.5 || row >= rows - 0.5) return BACKGROUND
    const [left, above] = [Math.floor(column), Math.floor(row)]
    const [share, below] = [column - left, row - above]
    const value =
      valueAt(left, above) * (1 - share) * (1 - below) +
      valueAt(left + 1, above) * share * (1 - below) +
      valueAt(left, above + 1) * (1 - share) * below +
      valueAt(left + 1, above + 1) * share * below
    const step = ((value - table.lower) / (table.upper - table.lower)) * STEPS
    return DARKEST + Math.min(STEPS - 1, Math.max(0, step))
  })
}

const noise = (count: number) => Int16Array.from({ length: count }, (_, at) => ((at * 7919) % 4001) - 1000)
const image: GreyImage = { values: noise(15 * 11), columns: 15, rows: 11 }
const turned = (degrees: number, zoom: number): ScreenPlace => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180) / zoom, Math.sin((degrees * Math.PI) / 180) / zoom]
  return { origin: [7 - 20 * (cos - sin), 5 - 20 * (cos + sin)], across: [cos, sin], down: [-sin, cos] }
}

describe('a grey picture', () => {
  it.each<[string, ScreenPlace]>([
    ['larger than its image, with ground around', { origin: [-3.3, -2.1], across: [0.41, 0], down: [0, 0.37] }],
    ['smaller', { origin: [-0.4, -0.2], across: [2.3, 0], down: [0, 1.9] }],
    ['mirrored', { origin: [14.2, 10.3], across: [-0.37, 0], down: [0, -0.31] }],
    ['in part, between two ends of the image', { origin: [4.2, 3.3], across: [0.05, 0], down: [0, 0.05] }],
    ['turned on its side', { origin: [-1, 11], across: [0, -0.33], down: [0.4, 0] }],
    ['turned a little', turned(17, 2.1)],
    ['turned by next to nothing', turned(0.000001, 2.1)],
    ['beside the screen', { origin: [40, 3], across: [0.3, 0], down: [0, 0.3] }],
  ])('has the value at the centre of each pixel of the screen: %s', (_, place) => {
    const table = tableOf(-200, 700)
    const drawn = draw([43, 41], image, place, table)
    const right = expected([43, 41], image, place, table)
    const differing = drawn.filter((word, at) => Math.abs(word - (right[at] ?? 0)) > 1)
    expect(differing).toEqual([])
    expect(drawn).toHaveLength(right.length)
  })

  it('keeps to its ends where a window is narrow and values are far outside', () => {
    const values = Uint16Array.from([0, 65535, 65535, 0])
    const table = tableOf(100, 100.0001)
    const brightest = DARKEST + STEPS - 1
    const drawn = [DARKEST, brightest, brightest, DARKEST]
    const place: ScreenPlace = { origin: [0, 0], across: [1, 0], down: [0, 1] }
    expect(draw([2, 2], { values, columns: 2, rows: 2 }, place, table)).toEqual(drawn)
    const side: ScreenPlace = { origin: [0, 0], across: [0, 1], down: [1, 0] }
    expect(draw([2, 2], { values, columns: 2, rows: 2 }, side, table)).toEqual(drawn)
  })

  it('draws an image of one pixel, and one of one row', () => {
    const place: ScreenPlace = { origin: [-0.25, -0.25], across: [0.5, 0], down: [0, 0.5] }
    const table = tableOf(0, STEPS)
    expect(draw([2, 2], { values: Uint8Array.of(200), columns: 1, rows: 1 }, place, table)).toEqual(
      Array.from({ length: 4 }, () => DARKEST + 200),
    )
    const row = draw([4, 2], { values: Uint8Array.of(0, 200), columns: 2, rows: 1 }, place, table)
    expect(row).toEqual([0, 50, 150, 200, 0, 50, 150, 200].map((step) => DARKEST + step))
  })
})
