import { Tag } from '../tags.ts'
import { writePart10 } from '../write-part10.ts'
import { randomFrom } from './random.ts'
import {
  commonElements,
  filePath,
  pixelElements,
  type SyntheticFile,
  type SyntheticSeries,
  type SyntheticStudy,
} from './study.ts'

const ROWS = 384
const COLUMNS = 512

const series: SyntheticSeries = {
  number: 1,
  description: 'Forearm',
  modality: 'XC',
  sopClassUid: '1.2.840.10008.5.1.4.1.1.77.1.4',
}

/** Two colour photographs of a mark on skin beside a ruler: 512 × 384, RGB, 8 bits. */
export function* colourPhotos(study: SyntheticStudy): Generator<SyntheticFile> {
  const random = randomFrom(`${study.seed}/skin`)
  for (const [index, radius] of [34, 58].entries()) {
    const pixels = paintSkin(random, radius)
    const bytes = writePart10([
      ...commonElements(study, series, index + 1),
      { tag: Tag.ImageType, vr: 'CS', value: 'ORIGINAL\\PRIMARY' },
      { tag: Tag.PatientOrientation, vr: 'CS', value: '' },
      { tag: Tag.LossyImageCompression, vr: 'CS', value: '00' },
      ...pixelElements(
        { rows: ROWS, columns: COLUMNS, bitsAllocated: 8, bitsStored: 8, isSigned: false, samplesPerPixel: 3 },
        pixels,
      ),
    ])
    yield { path: filePath(study, series.number, index + 1), bytes }
  }
}

function paintSkin(random: () => number, radius: number): Uint8Array {
  const pixels = new Uint8Array(ROWS * COLUMNS * 3)
  for (let y = 0; y < ROWS; y += 1) {
    for (let x = 0; x < COLUMNS; x += 1) {
      const grain = (random() - 0.5) * 10
      const [red, green, blue] = colourAt(x, y, radius)
      const at = (y * COLUMNS + x) * 3
      pixels[at] = red + grain
      pixels[at + 1] = green + grain
      pixels[at + 2] = blue + grain
    }
  }
  return pixels
}

type Colour = readonly [red: number, green: number, blue: number]

function colourAt(x: number, y: number, radius: number): Colour {
  if (y > ROWS - 40) return x % 40 < 2 || (x % 8 < 1 && y > ROWS - 20) ? [30, 30, 30] : [225, 222, 205]
  const angle = Math.atan2(y - 170, x - 250)
  const edge = radius * (1 + 0.12 * Math.sin(5 * angle))
  const distance = Math.hypot(x - 250, y - 170) / edge
  if (distance < 0.6) return [92, 52, 44]
  if (distance < 1) return [132, 76, 62]
  const shade = 1 - Math.abs(y - 170) / 700
  return [226 * shade, 172 * shade, 148 * shade]
}
