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
  type SyntheticSeries,
  type SyntheticStudy,
} from './study.ts'

const SIZE = 256
const SPACING_MM = 1.5
const SLICE_STEP_MM = 3
const RESCALE_INTERCEPT = -1024
const NOISE_HU = 12

const series: SyntheticSeries = {
  number: 1,
  description: 'Chest 3.0 axial',
  modality: 'CT',
  sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
}

/** A torso in Hounsfield units. */
const torso: readonly Ellipsoid[] = [
  { centre: [0, 0, 0], radii: [165, 110, 400], value: 40 },
  { centre: [0, 0, 0], radii: [150, 96, 400], value: -80 },
  { centre: [0, 0, 0], radii: [142, 88, 400], value: 45 },
  { centre: [78, -5, 15], radii: [52, 66, 95], value: -830 },
  { centre: [-78, -5, 15], radii: [54, 66, 95], value: -830 },
  { centre: [25, -25, -15], radii: [46, 40, 48], value: 55 },
  { centre: [32, -28, -15], radii: [26, 22, 32], value: 170 },
  { centre: [-62, -12, -92], radii: [82, 66, 44], value: 65 },
  { centre: [12, 52, 0], radii: [13, 13, 300], value: 190 },
  { centre: [0, 74, 0], radii: [22, 18, 300], value: 420 },
  { centre: [0, 72, 0], radii: [15, 12, 300], value: 160 },
  { centre: [0, 90, 0], radii: [8, 8, 300], value: 30 },
  { centre: [-92, 20, 32], radii: [7, 7, 7], value: 35 },
]

/** A phantom CT whose slices make a volume: 256 × 256, 16 bits signed, 3 mm apart from the feet up. */
export function* phantomCt(study: SyntheticStudy, slices = 60): Generator<SyntheticFile> {
  const frameOfReference = uidFrom(`${study.seed}/frame`, study.uidRoot)
  const random = randomFrom(`${study.seed}/noise`)
  const corner = (-SPACING_MM * (SIZE - 1)) / 2
  for (let index = 0; index < slices; index += 1) {
    const z = (index - (slices - 1) / 2) * SLICE_STEP_MM
    const values = sliceThrough(
      torso,
      {
        rows: SIZE,
        columns: SIZE,
        origin: [corner, corner, z],
        stepRight: [SPACING_MM, 0, 0],
        stepDown: [0, SPACING_MM, 0],
      },
      -1000,
    )
    const pixels = new Int16Array(values.length)
    for (const [at, value] of values.entries()) {
      pixels[at] = Math.round(value + (random() + random() - 1) * 2 * NOISE_HU) - RESCALE_INTERCEPT
    }
    const bytes = writePart10([
      ...commonElements(study, series, index + 1),
      { tag: Tag.ImageType, vr: 'CS', value: 'ORIGINAL\\PRIMARY\\AXIAL' },
      { tag: Tag.KVP, vr: 'DS', value: [120] },
      { tag: Tag.PatientPosition, vr: 'CS', value: 'HFS' },
      { tag: Tag.BodyPartExamined, vr: 'CS', value: 'CHEST' },
      { tag: Tag.AcquisitionNumber, vr: 'IS', value: '1' },
      { tag: Tag.SliceLocation, vr: 'DS', value: [z] },
      ...planeElements({
        frameOfReference,
        position: [corner, corner, z],
        orientation: [1, 0, 0, 0, 1, 0],
        spacing: SPACING_MM,
        thickness: SLICE_STEP_MM,
      }),
      { tag: Tag.WindowCenter, vr: 'DS', value: [40, -600] },
      { tag: Tag.WindowWidth, vr: 'DS', value: [400, 1500] },
      { tag: Tag.RescaleIntercept, vr: 'DS', value: [RESCALE_INTERCEPT] },
      { tag: Tag.RescaleSlope, vr: 'DS', value: [1] },
      { tag: Tag.RescaleType, vr: 'LO', value: 'HU' },
      ...pixelElements(
        { rows: SIZE, columns: SIZE, bitsAllocated: 16, bitsStored: 16, isSigned: true, samplesPerPixel: 1 },
        new Uint8Array(pixels.buffer),
      ),
    ])
    yield { path: filePath(study, series.number, index + 1), bytes }
  }
}
