/** Whole numbers of one image, row by row. */
export type GreyImage = {
  values: Int8Array | Uint8Array | Int16Array | Uint16Array
  columns: number
  rows: number
}

type Pair = readonly [number, number]

/** Place of the screen on the image, in columns and rows from the centre of the image's first pixel. */
export type ScreenPlace = {
  /** Under the centre of the screen's first pixel. */
  origin: Pair
  /** From one pixel of the screen to the next one on its right. */
  across: Pair
  /** From one pixel of the screen to the one below. */
  down: Pair
}

/** Colours of the values between two ends, in steps of one size; values outside have the colour of their end. */
export type GreyTable = {
  lower: number
  upper: number
  /** Words of ImageData: alpha, blue, green and red, from the highest byte. */
  colours: Uint32Array
}

type Screen = { pixels: Uint32Array; width: number; height: number; background: number }

/** A picture that is turned by less over the whole screen, in pixels of the image, counts as upright. */
const UPRIGHT = 1e-6

/**
 * Draws an image as the graphics processor does: each pixel of the screen has the value at its centre, mixed of the
 * four pixels of the image around, and the colour of that value. Colours mixed instead would soften edges that lie
 * across the ends of a window.
 */
export function drawGreyPicture(screen: Screen, image: GreyImage, place: ScreenPlace, table: GreyTable): void {
  const { across, down } = place
  const isUpright = Math.abs(across[1]) * screen.width < UPRIGHT && Math.abs(down[0]) * screen.height < UPRIGHT
  if (isUpright) drawUpright(screen, image, place, table)
  else drawTurned(screen, image, place, table)
}

/** Rows of the screen lie along rows of the image: two of these are mixed once for each, pixel by pixel afterwards. */
function drawUpright(screen: Screen, image: GreyImage, { origin, across, down }: ScreenPlace, table: GreyTable): void {
  const { pixels, width, height, background } = screen
  const { values, columns, rows } = image
  const { colours, lower } = table
  const most = colours.length - 1
  const scale = colours.length / (table.upper - lower)
  const { lefts, shares, begin, end, first, last } = columnsOf(width, columns, origin[0], across[0])
  // the last column has a neighbour without a share
  const mixed = new Float64Array(columns + 1)
  for (let y = 0; y < height; y++) {
    const at = y * width
    const row = origin[1] + y * down[1]
    if (!isWithin(row, rows)) {
      pixels.fill(background, at, at + width)
      continue
    }
    const within = clamp(row, rows - 1)
    const above = Math.floor(within) * columns
    const below = above + columns < values.length ? above + columns : above
    const share = within - Math.floor(within)
    for (let column = first; column <= last; column++)
      mixed[column] = mix(values[above + column] ?? 0, values[below + column] ?? 0, share)
    pixels.fill(background, at, at + begin)
    for (let x = begin; x < end; x++) {
      const left = lefts[x] ?? 0
      const step = (mix(mixed[left] ?? 0, mixed[left + 1] ?? 0, shares[x] ?? 0) - lower) * scale
      pixels[at + x] = colours[step > most ? most : step > 0 ? step | 0 : 0] ?? 0
    }
    pixels.fill(background, at + end, at + width)
  }
}

/** Left neighbour and share of the right one for each pixel of a row, and which pixels lie on which columns. */
function columnsOf(width: number, columns: number, origin: number, across: number) {
  const shares = new Float64Array(width)
  const lefts = new Int32Array(width)
  let [begin, end, first, last] = [width, width, columns, -1]
  for (let x = 0; x < width; x++) {
    const column = origin + x * across
    if (!isWithin(column, columns)) continue
    const within = clamp(column, columns - 1)
    const left = Math.floor(within)
    lefts[x] = left
    shares[x] = within - left
    begin = Math.min(begin, x)
    end = x + 1
    first = Math.min(first, left)
    last = Math.max(last, Math.min(left + 1, columns - 1))
  }
  return { lefts, shares, begin, end, first, last }
}

function drawTurned(screen: Screen, image: GreyImage, { origin, across, down }: ScreenPlace, table: GreyTable): void {
  const { pixels, width, height, background } = screen
  const { values, columns, rows } = image
  const { colours, lower } = table
  const most = colours.length - 1
  const scale = colours.length / (table.upper - lower)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const column = origin[0] + x * across[0] + y * down[0]
      const row = origin[1] + x * across[1] + y * down[1]
      if (!isWithin(column, columns) || !isWithin(row, rows)) {
        pixels[y * width + x] = background
        continue
      }
      const inColumns = clamp(column, columns - 1)
      const inRows = clamp(row, rows - 1)
      const left = Math.floor(inColumns)
      const above = Math.floor(inRows)
      const at = above * columns + left
      const right = left + 1 < columns ? 1 : 0
      const below = above + 1 < rows ? at + columns : at
      const upper = mix(values[at] ?? 0, values[at + right] ?? 0, inColumns - left)
      const lowerRow = mix(values[below] ?? 0, values[below + right] ?? 0, inColumns - left)
      const step = (mix(upper, lowerRow, inRows - above) - lower) * scale
      pixels[y * width + x] = colours[step > most ? most : step > 0 ? step | 0 : 0] ?? 0
    }
  }
}

/** Whether a place lies on one of so many pixels, the outer half of the first and of the last one included. */
function isWithin(place: number, count: number): boolean {
  return place >= -0.5 && place < count - 0.5
}

function clamp(place: number, most: number): number {
  return place < 0 ? 0 : place > most ? most : place
}

function mix(one: number, other: number, share: number): number {
  return one + (other - one) * share
}
