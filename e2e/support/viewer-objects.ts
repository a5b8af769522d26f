import { pixelElements, planeElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { type WriteElement, writePart10 } from '@hilum/dicom/write-part10'

const EDGE = 64
const PIXELS = EDGE * EDGE
const SECONDARY_CAPTURE = '1.2.840.10008.5.1.4.1.1.7'
const MR = '1.2.840.10008.5.1.4.1.1.4'
const ULTRASOUND_CLIP = '1.2.840.10008.5.1.4.1.1.3.1'
const PET = '1.2.840.10008.5.1.4.1.1.128'
const PARAMETRIC_MAP = '1.2.840.10008.5.1.4.1.1.30'

/** A study of objects that viewers find hard, each a series of its own under its description. */
export function makeHardStudy(patient: string): Uint8Array<ArrayBuffer>[] {
  const studyUid = newUid()
  let number = 0
  const series = (description: string, sopClass: string, ...instances: readonly WriteElement[][]): Uint8Array[] => {
    const seriesUid = newUid()
    number++
    return instances.map((elements, at) =>
      writePart10([
        { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
        { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
        { tag: Tag.StudyDate, vr: 'DA', value: '20260302' },
        { tag: Tag.PatientName, vr: 'PN', value: patient },
        { tag: Tag.PatientID, vr: 'LO', value: 'HARD-1' },
        { tag: Tag.StudyDescription, vr: 'LO', value: 'Hard to draw' },
        { tag: Tag.SeriesDescription, vr: 'LO', value: description },
        { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
        { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
        { tag: Tag.SeriesNumber, vr: 'IS', value: String(number) },
        { tag: Tag.InstanceNumber, vr: 'IS', value: String(at + 1) },
        ...elements,
      ]),
    )
  }
  const modality = (value: string): WriteElement => ({ tag: Tag.Modality, vr: 'CS', value })
  return [
    ...series('Palette', ULTRASOUND_CLIP, [modality('US'), ...palette()]),
    ...series('No modality', SECONDARY_CAPTURE, grey(ramp(255))),
    ...series('Slices', MR, ...[0, 1, 2, 3].map((at) => [modality('MR'), ...slice(at)])),
    ...series('Map', PARAMETRIC_MAP, [modality('MR'), ...floatMap()]),
    ...series('Overlay', SECONDARY_CAPTURE, [modality('CR'), ...grey(ramp(200)), ...overlay()]),
    ...series('Overlay in the pixels', SECONDARY_CAPTURE, [modality('CR'), ...embeddedOverlay()]),
    ...series('Tall pixels', SECONDARY_CAPTURE, [
      modality('OT'),
      ...grey(ramp(255)),
      { tag: 0x00280034, vr: 'IS', value: '2\\1' },
    ]),
    ...series('Broken', SECONDARY_CAPTURE, [modality('OT'), ...grey(ramp(255).subarray(0, 100))]),
    ...series('Lost', SECONDARY_CAPTURE, [
      modality('OT'),
      ...grey(ramp(255)).filter(({ tag }) => tag !== Tag.PixelData),
    ]),
  ].map((file) => new Uint8Array(file))
}

/**
 * One of several exams of one person: one image, grey where nothing is said.
 * @param more elements beside, or instead of, those of the exam
 */
export function makePlainExam(
  date: string,
  description: string,
  more: readonly WriteElement[] = [],
  pixels: readonly WriteElement[] = grey(ramp(255)),
): Uint8Array<ArrayBuffer> {
  const elements: WriteElement[] = [
    { tag: Tag.SOPClassUID, vr: 'UI', value: SECONDARY_CAPTURE },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.StudyDate, vr: 'DA', value: date },
    { tag: Tag.Modality, vr: 'CS', value: 'CR' },
    { tag: Tag.StudyDescription, vr: 'LO', value: description },
    { tag: Tag.SeriesDescription, vr: 'LO', value: `Picture of ${description}` },
    { tag: Tag.PatientName, vr: 'PN', value: 'OFTEN^HERE' },
    { tag: Tag.PatientID, vr: 'LO', value: 'OFTEN-1' },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: '19600203' },
    { tag: Tag.PatientSex, vr: 'CS', value: 'F' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.SeriesNumber, vr: 'IS', value: '1' },
    { tag: Tag.InstanceNumber, vr: 'IS', value: '1' },
    ...pixels,
    ...more,
  ]
  const byTag = new Map(elements.map((element) => [element.tag, element]))
  return new Uint8Array(writePart10([...byTag.values()]))
}

/**
 * Slices of PET, brighter from left to right, in a series without a description; and a film without a number that says
 * by two letters alone how it lies.
 */
export function makePetStudy(more: readonly WriteElement[] = []): Uint8Array<ArrayBuffer>[] {
  const study: WriteElement = { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() }
  const [seriesUid, frameOfReference] = [newUid(), newUid()]
  const orientation = [1, 0, 0, 0, 1, 0]
  const slices = [0, 1, 2, 3].map((at) =>
    makePlainExam('20260404', 'Tracer', [
      study,
      { tag: Tag.SOPClassUID, vr: 'UI', value: PET },
      { tag: Tag.Modality, vr: 'CS', value: 'PT' },
      { tag: Tag.SeriesDescription, vr: 'LO', value: '' },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
      { tag: Tag.SeriesNumber, vr: 'IS', value: '100' },
      { tag: Tag.InstanceNumber, vr: 'IS', value: String(at + 1) },
      ...planeElements({ frameOfReference, position: [0, 0, at * 4], orientation, spacing: 4, thickness: 4 }),
      ...more,
    ]),
  )
  const film = makePlainExam('20260404', 'Tracer', [
    study,
    { tag: Tag.SeriesNumber, vr: 'IS', value: '' },
    { tag: Tag.SeriesDescription, vr: 'LO', value: '' },
    { tag: Tag.PatientOrientation, vr: 'CS', value: String.raw`A\F` },
  ])
  return [...slices, film]
}

/** An exam in colours of a table, whose pixels are twice as wide as tall. */
export function makeWideColours(date: string): Uint8Array<ArrayBuffer> {
  const spacing: WriteElement = { tag: 0x00280030, vr: 'DS', value: '0.5\\1' }
  return makePlainExam(date, 'Wide colours', [spacing], palette())
}

/** An exam with two planes inside the pixels of one image: a bar across it and one down, where they meet in both. */
export function makePlanesInPixels(date: string): Uint8Array<ArrayBuffer> {
  const planes = [
    { group: 0x6000, bit: 15, covers: bar },
    { group: 0x6004, bit: 13, covers: isInUprightBar },
  ]
  return makePlainExam(date, 'Planes inside', [], planesInside(planes))
}

/** Brighter from left to right. */
const ramp = (most: number) => Uint8Array.from({ length: PIXELS }, (_, at) => ((at % EDGE) * most) / (EDGE - 1))
const grey = (pixels: Uint8Array) => pixelElements({ rows: EDGE, columns: EDGE }, pixels)
/** A film that stores bright as dark: black at the left. */
export const negativeFilm = pixelElements(
  { rows: EDGE, columns: EDGE, photometric: 'MONOCHROME1' },
  ramp(255).toReversed(),
)
const words = (values: readonly number[]) => new Uint8Array(Uint16Array.from(values).buffer)

/** A clip of three frames whose table makes low values red and high ones green. */
function palette(): WriteElement[] {
  const frames = [0, 1, 2].flatMap((frame) => [...ramp(255 - frame * 40)])
  const table = (value: (at: number) => number) => words(Array.from({ length: 256 }, (_, at) => value(at) * 257))
  const tables = [(at: number) => 255 - at, (at: number) => at, () => 20]
  return [
    ...pixelElements({ rows: EDGE, columns: EDGE, photometric: 'PALETTE COLOR' }, Uint8Array.from(frames)),
    { tag: 0x00280008, vr: 'IS', value: '3' },
    { tag: 0x00181063, vr: 'DS', value: '100' },
    ...tables.flatMap((value, at): WriteElement[] => [
      { tag: 0x00281101 + at, vr: 'US', value: [256, 0, 16] },
      { tag: 0x00281201 + at, vr: 'OW', value: table(value) },
    ]),
  ]
}

/** One of four slices without a window, numbered against their places; its frame is padding of no meaning. */
function slice(at: number): WriteElement[] {
  const value = (pixel: number) => (pixel % EDGE < 8 ? -32_000 : 100 + at * 200 + (pixel % EDGE))
  return [
    ...pixelElements(
      { rows: EDGE, columns: EDGE, bitsAllocated: 16, isSigned: true },
      words(Array.from({ length: PIXELS }, (_, pixel) => value(pixel))),
    ),
    { tag: 0x00280120, vr: 'SS', value: -32_000 },
    { tag: 0x00200032, vr: 'DS', value: `0\\0\\${30 - at * 10}` },
    { tag: 0x00200037, vr: 'DS', value: '1\\0\\0\\0\\1\\0' },
    { tag: 0x00200052, vr: 'UI', value: '1.2.3.4' },
    { tag: 0x00280030, vr: 'DS', value: '2\\2' },
  ]
}

/** Values between 0 and 0.002, as maps of diffusion have them. */
function floatMap(): WriteElement[] {
  const values = Float32Array.from(ramp(255), (value) => (value / 255) * 0.002)
  const integers = pixelElements({ rows: EDGE, columns: EDGE }, new Uint8Array(0))
  const other: number[] = [Tag.PixelData, Tag.BitsAllocated, Tag.BitsStored, Tag.HighBit, Tag.PixelRepresentation]
  return [
    ...integers.filter(({ tag }) => !other.includes(tag)),
    { tag: Tag.BitsAllocated, vr: 'US', value: 32 },
    { tag: 0x7fe00008, vr: 'OF', value: new Uint8Array(values.buffer) },
  ]
}

const bar = (pixel: number) => pixel >= PIXELS / 2 && pixel < PIXELS / 2 + EDGE * 4

/** A white bar across the middle. */
function overlay(): WriteElement[] {
  const bits = new Uint8Array(PIXELS / 8)
  for (let pixel = 0; pixel < PIXELS; pixel++)
    if (bar(pixel)) bits[pixel >> 3] = (bits[pixel >> 3] ?? 0) | (1 << (pixel & 7))
  return [
    { tag: 0x60000010, vr: 'US', value: EDGE },
    { tag: 0x60000011, vr: 'US', value: EDGE },
    { tag: 0x60000040, vr: 'CS', value: 'G' },
    { tag: 0x60000050, vr: 'SS', value: [1, 1] },
    { tag: 0x60000100, vr: 'US', value: 1 },
    { tag: 0x60000102, vr: 'US', value: 0 },
    { tag: 0x60003000, vr: 'OB', value: bits },
  ]
}

const isInUprightBar = (pixel: number) => pixel % EDGE >= 20 && pixel % EDGE < 23

/** Twelve bits of picture and the same bar in bit 15 of each pixel, as old machines wrote them. */
const embeddedOverlay = () => planesInside([{ group: 0x6000, bit: 15, covers: bar }])

type PlaneInside = { group: number; bit: number; covers: (pixel: number) => boolean }

/** Twelve bits of picture, and planes in bits above them. */
function planesInside(planes: readonly PlaneInside[]): WriteElement[] {
  const bitsOf = (pixel: number) => planes.reduce((bits, { bit, covers }) => bits + (covers(pixel) ? 2 ** bit : 0), 0)
  return [
    ...pixelElements(
      { rows: EDGE, columns: EDGE, bitsAllocated: 16, bitsStored: 12 },
      words(Array.from({ length: PIXELS }, (_, pixel) => (pixel % EDGE) * 16 + bitsOf(pixel))),
    ),
    ...planes.flatMap(({ group, bit }): WriteElement[] => {
      const tag = (element: number) => group * 0x10000 + element
      return [
        { tag: tag(0x0010), vr: 'US', value: EDGE },
        { tag: tag(0x0011), vr: 'US', value: EDGE },
        { tag: tag(0x0040), vr: 'CS', value: 'G' },
        { tag: tag(0x0050), vr: 'SS', value: [1, 1] },
        { tag: tag(0x0100), vr: 'US', value: 16 },
        { tag: tag(0x0102), vr: 'US', value: bit },
      ]
    }),
  ]
}

/** The grey of each pixel that the planes inside cover, as `readPlanes` reads them. */
export const coveredInside = Array.from({ length: EDGE }, (_row, row) =>
  Array.from({ length: EDGE }, (_column, column) => {
    const pixel = row * EDGE + column
    return bar(pixel) || isInUprightBar(pixel) ? 255 : undefined
  }),
)

/** Says by how much values of PET are counted as SUV, the brightest as some 5 (PS3.3 C.8.9), beside a window of the values themselves. */
export const countedAsSuv: WriteElement[] = [
  { tag: 0x00080021, vr: 'DA', value: '20260404' },
  { tag: 0x00080031, vr: 'TM', value: '120000' },
  { tag: 0x00080022, vr: 'DA', value: '20260404' },
  { tag: 0x00080032, vr: 'TM', value: '120000' },
  { tag: 0x00101030, vr: 'DS', value: '70' },
  {
    tag: 0x00540016,
    vr: 'SQ',
    value: [
      [
        { tag: 0x00181072, vr: 'TM', value: '120000' },
        { tag: 0x00181074, vr: 'DS', value: '3570000' },
        { tag: 0x00181075, vr: 'DS', value: '6586.2' },
      ],
    ],
  },
  { tag: 0x00540081, vr: 'US', value: 4 },
  { tag: 0x00541001, vr: 'CS', value: 'BQML' },
  { tag: 0x00541102, vr: 'CS', value: 'START' },
  { tag: 0x00280051, vr: 'CS', value: String.raw`ATTN\DECY` },
  { tag: 0x00281050, vr: 'DS', value: '128' },
  { tag: 0x00281051, vr: 'DS', value: '256' },
]
