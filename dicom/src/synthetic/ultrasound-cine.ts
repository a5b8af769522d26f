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

const ROWS = 240
const COLUMNS = 320
const FRAMES = 30
const FRAME_TIME_MS = 33.3
const SECTOR_HALF_ANGLE = Math.PI / 4
const SECTOR_DEPTH = 225

const series: SyntheticSeries = {
  number: 1,
  description: 'Four chamber',
  modality: 'US',
  sopClassUid: '1.2.840.10008.5.1.4.1.1.3.1',
}

/** An ultrasound clip: a sector of speckle with a chamber that beats once in 30 frames; 320 × 240, 8 bits. */
export function* ultrasoundCine(study: SyntheticStudy): Generator<SyntheticFile> {
  const pixels = new Uint8Array(ROWS * COLUMNS * FRAMES)
  const sector = sectorPixels(randomFrom(`${study.seed}/speckle`))
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const beat = 1 + 0.25 * Math.sin((2 * Math.PI * frame) / FRAMES)
    for (const { at, x, y, speckle } of sector) {
      const chamber = Math.hypot((x - COLUMNS / 2) / (42 * beat), (y - 130) / (58 * beat))
      const tissue = chamber < 1 ? 18 : chamber < 1.18 ? 210 : 120 - y * 0.2
      pixels[frame * ROWS * COLUMNS + at] = Math.min(255, Math.max(0, tissue * speckle))
    }
  }
  const bytes = writePart10([
    ...commonElements(study, series, 1),
    { tag: Tag.ImageType, vr: 'CS', value: 'ORIGINAL\\PRIMARY' },
    { tag: Tag.FrameTime, vr: 'DS', value: [FRAME_TIME_MS] },
    { tag: Tag.NumberOfFrames, vr: 'IS', value: String(FRAMES) },
    { tag: Tag.FrameIncrementPointer, vr: 'AT', value: Tag.FrameTime },
    { tag: Tag.PatientOrientation, vr: 'CS', value: '' },
    ...pixelElements(
      { rows: ROWS, columns: COLUMNS, bitsAllocated: 8, bitsStored: 8, isSigned: false, samplesPerPixel: 1 },
      pixels,
    ),
  ])
  yield { path: filePath(study, series.number, 1), bytes }
}

type SectorPixel = { at: number; x: number; y: number; speckle: number }

function sectorPixels(random: () => number): SectorPixel[] {
  const found: SectorPixel[] = []
  for (let y = 0; y < ROWS; y += 1) {
    for (let x = 0; x < COLUMNS; x += 1) {
      const isInside =
        Math.hypot(x - COLUMNS / 2, y - 5) < SECTOR_DEPTH &&
        Math.abs(Math.atan2(x - COLUMNS / 2, y - 5)) < SECTOR_HALF_ANGLE
      if (isInside) found.push({ at: y * COLUMNS + x, x, y, speckle: 0.45 + random() * 0.9 })
    }
  }
  return found
}
