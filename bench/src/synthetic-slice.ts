import { sliceThrough } from '@hilum/dicom/synthetic/phantom'
import { randomFrom } from '@hilum/dicom/synthetic/random'
import { commonElements, pixelElements, planeElements } from '@hilum/dicom/synthetic/study'
import { writePart10 } from '@hilum/dicom/write-part10'

const SIZE = 512
const SPACING_MM = 0.75

/** A 512×512 CT slice of a made-up body, as noisy as a real one. */
export function syntheticSlice(): Buffer {
  const corner = (-SPACING_MM * (SIZE - 1)) / 2
  const random = randomFrom('bench/noise')
  const grid = { rows: SIZE, columns: SIZE, origin: [corner, corner, 0] }
  const values = sliceThrough(
    [
      { centre: [0, 0, 0], radii: [165, 110, 400], value: 40 },
      { centre: [70, -5, 15], radii: [52, 66, 95], value: -830 },
      { centre: [-70, -5, 15], radii: [54, 66, 95], value: -830 },
      { centre: [0, 74, 0], radii: [22, 18, 300], value: 420 },
    ],
    { ...grid, stepRight: [SPACING_MM, 0, 0], stepDown: [0, SPACING_MM, 0] },
    -1000,
  )
  const pixels = Int16Array.from(values, (value) => Math.round(value + (random() - 0.5) * 48) + 1024)
  const study = {
    seed: 'bench/slice',
    folder: '',
    patient: { name: 'BENCH^SLICE', id: 'BENCH', issuer: '', birthDate: '19700101', sex: 'O' },
    date: '20260101',
    time: '120000',
    accessionNumber: 'BENCH',
    description: 'Bench',
    referringPhysician: '',
  }
  const series = { number: 1, description: 'Bench', modality: 'CT', sopClassUid: '1.2.840.10008.5.1.4.1.1.2' }
  const plane = { frameOfReference: '2.999.1', position: [corner, corner, 0], orientation: [1, 0, 0, 0, 1, 0] }
  const format = { rows: SIZE, columns: SIZE, bitsAllocated: 16, bitsStored: 16, isSigned: true, samplesPerPixel: 1 }
  const bytes = writePart10([
    ...commonElements(study, series, 1),
    ...planeElements({ ...plane, spacing: SPACING_MM, thickness: 3 }),
    ...pixelElements({ ...format, bitsAllocated: 16, samplesPerPixel: 1 }, new Uint8Array(pixels.buffer)),
  ])
  return Buffer.from(bytes)
}
