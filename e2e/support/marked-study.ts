import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { type WriteElement, writePart10 } from '@hilum/dicom/write-part10'

/** Side of the images, in pixels. */
export const MARKED_EDGE = 64
const COMPUTED_RADIOGRAPHY = '1.2.840.10008.5.1.4.1.1.1'
const PRESENTATION_STATE = '1.2.840.10008.5.1.4.1.1.11.1'

/** A rectangle of pixels of a marked image, the first pixel being 0. */
export type Box = { left: number; top: number; width: number; height: number }

export const drawnBoxes = {
  /** A plane of the image. */
  plane: { left: 34, top: 4, width: 16, height: 8 },
  /** A region of interest of the image: only its outline is drawn. */
  region: { left: 40, top: 30, width: 6, height: 6 },
  /** Bits that the shutter of the presentation covers. */
  shutter: { left: 0, top: 0, width: 32, height: MARKED_EDGE },
  /** A plane of the presentation that is on. */
  shown: { left: 34, top: 50, width: 4, height: 3 },
  /** A plane of the presentation that no layer turns on. */
  hidden: { left: 50, top: 50, width: 4, height: 3 },
} as const satisfies Record<string, Box>

/** The grey of the shutter, of 255. */
export const SHUTTER_GREY = 128

/**
 * A study of an image with overlay planes, a presentation of the image mirrored, with planes of its own and a shutter of bits,
 * and an image whose own table of grey values has no entries; each a series of its own under its description.
 */
export function makeMarkedStudy(patient: string): Uint8Array<ArrayBuffer>[] {
  const studyUid = newUid()
  let number = 0
  const write = (description: string, sopClass: string, modality: string, elements: readonly WriteElement[]) => {
    number++
    const [seriesUid, sopUid] = [newUid(), newUid()]
    const file = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid },
      { tag: Tag.StudyDate, vr: 'DA', value: '20260302' },
      { tag: Tag.Modality, vr: 'CS', value: modality },
      { tag: Tag.PatientName, vr: 'PN', value: patient },
      { tag: Tag.PatientID, vr: 'LO', value: 'MARKED-1' },
      { tag: Tag.StudyDescription, vr: 'LO', value: 'Marked' },
      { tag: Tag.SeriesDescription, vr: 'LO', value: description },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
      { tag: Tag.SeriesNumber, vr: 'IS', value: String(number) },
      { tag: Tag.InstanceNumber, vr: 'IS', value: '1' },
      ...elements,
    ])
    return { file: new Uint8Array(file), seriesUid, sopUid }
  }
  const { plane, region, shutter, shown, hidden } = drawnBoxes
  const image = write('Planes', COMPUTED_RADIOGRAPHY, 'CR', [
    ...grey(),
    ...overlayOf(0x6000, 'G', plane),
    ...overlayOf(0x6002, 'R', region),
  ])
  const state = write('Covered', PRESENTATION_STATE, 'PR', [
    { tag: 0x00700041, vr: 'CS', value: 'Y' },
    { tag: 0x00700080, vr: 'CS', value: 'COVERED' },
    { tag: 0x00081115, vr: 'SQ', value: [referenceTo(image)] },
    { tag: 0x00181600, vr: 'CS', value: 'BITMAP' },
    { tag: 0x00181622, vr: 'US', value: SHUTTER_GREY * 257 },
    { tag: 0x00181623, vr: 'US', value: 0x6004 },
    ...overlayOf(0x6004, 'G', shutter),
    ...overlayOf(0x6006, 'G', shown, 'LAYER1'),
    ...overlayOf(0x6008, 'G', hidden),
  ])
  const untold = write('Table without entries', COMPUTED_RADIOGRAPHY, 'CR', [
    ...grey(),
    { tag: 0x00283010, vr: 'SQ', value: [[{ tag: 0x00283002, vr: 'US', value: [256, 0, 8] }]] },
  ])
  return [image, state, untold].map(({ file }) => file)
}

function referenceTo({ seriesUid, sopUid }: { seriesUid: string; sopUid: string }): WriteElement[] {
  const image: WriteElement[] = [
    { tag: 0x00081150, vr: 'UI', value: COMPUTED_RADIOGRAPHY },
    { tag: 0x00081155, vr: 'UI', value: sopUid },
  ]
  return [
    { tag: 0x00081140, vr: 'SQ', value: [image] },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
  ]
}

/** Brighter from left to right. */
function grey(): WriteElement[] {
  const pixels = Uint8Array.from({ length: MARKED_EDGE ** 2 }, (_, at) => 60 + (at % MARKED_EDGE) * 2)
  return pixelElements({ rows: MARKED_EDGE, columns: MARKED_EDGE }, pixels)
}

/** A plane as large as its box, every bit of which is set. */
function overlayOf(group: number, kind: 'G' | 'R', { left, top, width, height }: Box, layer?: string): WriteElement[] {
  const at = (element: number) => group * 0x10000 + element
  const bytes = Math.ceil((width * height) / 16) * 2
  return [
    { tag: at(0x0010), vr: 'US', value: height },
    { tag: at(0x0011), vr: 'US', value: width },
    { tag: at(0x0040), vr: 'CS', value: kind },
    { tag: at(0x0050), vr: 'SS', value: [top + 1, left + 1] },
    { tag: at(0x0100), vr: 'US', value: 1 },
    { tag: at(0x0102), vr: 'US', value: 0 },
    ...(layer ? [{ tag: at(0x1001), vr: 'CS', value: layer }] : []),
    { tag: at(0x3000), vr: 'OW', value: new Uint8Array(bytes).fill(0xff) },
  ]
}
