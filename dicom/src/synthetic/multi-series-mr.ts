import { Tag } from '../tags.ts'
import { writePart10 } from '../write-part10.ts'
import { type Ellipsoid, sliceThrough } from './phantom.ts'
import { randomFrom, uidFrom } from './random.ts'
import {
  commonElements,
  filePath,
  pixelElements,
  planeElements,
  type SyntheticFile,
  type SyntheticStudy,
} from './study.ts'

const SIZE = 128
const SPACING_MM = 1.8
const SLICE_STEP_MM = 6
const SLICES = 20
const MAX_VALUE = 4095

/** Brightness of each tissue under one weighting. */
type Contrast = { scalp: number; skull: number; fluid: number; grey: number; white: number; lesion: number }

type MrSeries = {
  number: number
  description: string
  right: readonly number[]
  down: readonly number[]
  repetitionTime: number
  echoTime: number
  contrast: Contrast
}

const allSeries: readonly MrSeries[] = [
  {
    number: 1,
    description: 'AX T1',
    right: [1, 0, 0],
    down: [0, 1, 0],
    repetitionTime: 550,
    echoTime: 9,
    contrast: { scalp: 2900, skull: 120, fluid: 350, grey: 1300, white: 1900, lesion: 900 },
  },
  {
    number: 2,
    description: 'SAG T2',
    right: [0, 1, 0],
    down: [0, 0, -1],
    repetitionTime: 4200,
    echoTime: 98,
    contrast: { scalp: 1500, skull: 100, fluid: 3400, grey: 1500, white: 950, lesion: 2800 },
  },
  {
    number: 3,
    description: 'COR FLAIR',
    right: [1, 0, 0],
    down: [0, 0, -1],
    repetitionTime: 9000,
    echoTime: 120,
    contrast: { scalp: 1600, skull: 100, fluid: 200, grey: 1600, white: 1200, lesion: 3200 },
  },
]

/** A head MR of three series in three planes, each with its own contrast: 128 × 128, 12 bits, 20 slices. */
export function* multiSeriesMr(study: SyntheticStudy): Generator<SyntheticFile> {
  const frameOfReference = uidFrom(`${study.seed}/frame`, study.uidRoot)
  const random = randomFrom(`${study.seed}/noise`)
  for (const mr of allSeries) {
    const bodies = head(mr.contrast)
    for (let index = 0; index < SLICES; index += 1) {
      const position = cornerOf(mr, index)
      const stepRight = mr.right.map((step) => step * SPACING_MM)
      const stepDown = mr.down.map((step) => step * SPACING_MM)
      const values = sliceThrough(bodies, { rows: SIZE, columns: SIZE, origin: position, stepRight, stepDown }, 20)
      const pixels = new Uint16Array(values.length)
      for (const [at, value] of values.entries()) {
        pixels[at] = Math.max(0, Math.min(MAX_VALUE, Math.round(value + (random() + random() - 1) * 90)))
      }
      const series = { ...mr, modality: 'MR', sopClassUid: '1.2.840.10008.5.1.4.1.1.4' }
      const bytes = writePart10([
        ...commonElements(study, series, index + 1),
        { tag: Tag.ImageType, vr: 'CS', value: 'ORIGINAL\\PRIMARY\\M' },
        { tag: Tag.ScanningSequence, vr: 'CS', value: 'SE' },
        { tag: Tag.SequenceVariant, vr: 'CS', value: 'NONE' },
        { tag: Tag.ScanOptions, vr: 'CS', value: '' },
        { tag: Tag.MRAcquisitionType, vr: 'CS', value: '2D' },
        { tag: Tag.RepetitionTime, vr: 'DS', value: [mr.repetitionTime] },
        { tag: Tag.EchoTime, vr: 'DS', value: [mr.echoTime] },
        { tag: Tag.EchoTrainLength, vr: 'IS', value: '1' },
        { tag: Tag.SpacingBetweenSlices, vr: 'DS', value: [SLICE_STEP_MM] },
        { tag: Tag.PatientPosition, vr: 'CS', value: 'HFS' },
        { tag: Tag.BodyPartExamined, vr: 'CS', value: 'HEAD' },
        ...planeElements({
          frameOfReference,
          position,
          orientation: [...mr.right, ...mr.down],
          spacing: SPACING_MM,
          thickness: SLICE_STEP_MM - 1,
        }),
        { tag: Tag.WindowCenter, vr: 'DS', value: [1500] },
        { tag: Tag.WindowWidth, vr: 'DS', value: [3000] },
        ...pixelElements(
          { rows: SIZE, columns: SIZE, bitsAllocated: 16, bitsStored: 12, isSigned: false, samplesPerPixel: 1 },
          new Uint8Array(pixels.buffer),
        ),
      ])
      yield { path: filePath(study, mr.number, index + 1), bytes }
    }
  }
}

function head(contrast: Contrast): Ellipsoid[] {
  return [
    { centre: [0, 0, 0], radii: [78, 98, 100], value: contrast.scalp },
    { centre: [0, 0, 0], radii: [73, 92, 94], value: contrast.skull },
    { centre: [0, 0, 2], radii: [67, 86, 86], value: contrast.fluid },
    { centre: [0, 0, 4], radii: [64, 82, 80], value: contrast.grey },
    { centre: [0, 0, 6], radii: [54, 70, 66], value: contrast.white },
    { centre: [13, -6, 14], radii: [8, 30, 14], value: contrast.fluid },
    { centre: [-13, -6, 14], radii: [8, 30, 14], value: contrast.fluid },
    { centre: [0, 52, -52], radii: [38, 24, 20], value: contrast.grey },
    { centre: [-36, -22, 26], radii: [9, 8, 9], value: contrast.lesion },
  ]
}

/** Centre of the first pixel: the stack is centred on the head and runs along the normal of the plane. */
function cornerOf({ right, down }: MrSeries, index: number): number[] {
  const half = (SPACING_MM * (SIZE - 1)) / 2
  const along = (index - (SLICES - 1) / 2) * SLICE_STEP_MM
  const at = (vector: readonly number[], axis: number) => vector[axis % 3] ?? 0
  return [0, 1, 2].map((axis) => {
    const normal = at(right, axis + 1) * at(down, axis + 2) - at(right, axis + 2) * at(down, axis + 1)
    return normal * along - (at(right, axis) + at(down, axis)) * half
  })
}
