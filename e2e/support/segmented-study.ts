import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { type WriteElement, writePart10 } from '@hilum/dicom/write-part10'

/** Side of the slice, in pixels. */
export const SEGMENTED_EDGE = 32
const MR = '1.2.840.10008.5.1.4.1.1.4'
const SEGMENTATION = '1.2.840.10008.5.1.4.1.1.66.4'
const LABEL_MAP = '1.2.840.10008.5.1.4.1.1.66.7'
const FRAME_OF_REFERENCE = '1.2.3.4.5'

/** Columns of the segments, the first being 0: two of a label map, and one of shares that rise from left to right. */
export const segmentColumns = { first: [4, 8], second: [10, 14], shares: [20, 28] } as const

/** A study of one slice, and a label map and a fractional segmentation of the slice. */
export function makeSegmentedStudy(patient: string): Uint8Array<ArrayBuffer>[] {
  const studyUid = newUid()
  const sliceUid = newUid()
  const sliceSeries = newUid()
  const write = (
    what: { sopClass: string; modality: string; description: string; sopUid?: string; seriesUid?: string },
    number: number,
    elements: readonly WriteElement[],
  ) =>
    new Uint8Array(
      writePart10([
        { tag: Tag.SOPClassUID, vr: 'UI', value: what.sopClass },
        { tag: Tag.SOPInstanceUID, vr: 'UI', value: what.sopUid ?? newUid() },
        { tag: Tag.StudyDate, vr: 'DA', value: '20260303' },
        { tag: Tag.Modality, vr: 'CS', value: what.modality },
        { tag: Tag.PatientName, vr: 'PN', value: patient },
        { tag: Tag.PatientID, vr: 'LO', value: 'SEGMENTED-1' },
        { tag: Tag.StudyDescription, vr: 'LO', value: 'Segmented' },
        { tag: Tag.SeriesDescription, vr: 'LO', value: what.description },
        { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
        { tag: Tag.SeriesInstanceUID, vr: 'UI', value: what.seriesUid ?? newUid() },
        { tag: Tag.SeriesNumber, vr: 'IS', value: String(number) },
        { tag: Tag.InstanceNumber, vr: 'IS', value: '1' },
        { tag: 0x00200052, vr: 'UI', value: FRAME_OF_REFERENCE },
        ...elements,
      ]),
    )
  const referenceToSlice: WriteElement = {
    tag: 0x00081115,
    vr: 'SQ',
    value: [
      [
        { tag: 0x0008114a, vr: 'SQ', value: [[...sopReference(MR, sliceUid)]] },
        { tag: Tag.SeriesInstanceUID, vr: 'UI', value: sliceSeries },
      ],
    ],
  }
  const pixels = (valueAt: (column: number) => number) =>
    Uint8Array.from({ length: SEGMENTED_EDGE ** 2 }, (_, at) => valueAt(at % SEGMENTED_EDGE))
  const isIn = ([from, to]: readonly [number, number], column: number) => column >= from && column < to
  const { first, second, shares } = segmentColumns
  return [
    write({ sopClass: MR, modality: 'MR', description: 'Slice', sopUid: sliceUid, seriesUid: sliceSeries }, 1, [
      ...square(pixels((column) => 40 + column * 4)),
      { tag: 0x00200032, vr: 'DS', value: '0\\0\\0' },
      { tag: 0x00200037, vr: 'DS', value: '1\\0\\0\\0\\1\\0' },
      { tag: 0x00280030, vr: 'DS', value: '2\\2' },
    ]),
    write({ sopClass: LABEL_MAP, modality: 'SEG', description: 'Labels' }, 2, [
      ...square(pixels((column) => (isIn(first, column) ? 1 : isIn(second, column) ? 2 : 0))),
      { tag: 0x00620001, vr: 'CS', value: 'LABELMAP' },
      segments('Liver', 'Spleen'),
      referenceToSlice,
      ...onSlice(),
    ]),
    write({ sopClass: SEGMENTATION, modality: 'SEG', description: 'Shares' }, 3, [
      ...square(pixels((column) => (isIn(shares, column) ? (column - shares[0] + 1) * 30 : 0))),
      { tag: 0x00620001, vr: 'CS', value: 'FRACTIONAL' },
      { tag: 0x00620010, vr: 'CS', value: 'PROBABILITY' },
      { tag: 0x0062000e, vr: 'US', value: 255 },
      segments('Lesion'),
      referenceToSlice,
      ...onSlice([{ tag: 0x0062000a, vr: 'SQ', value: [[{ tag: 0x0062000b, vr: 'US', value: 1 }]] }]),
    ]),
  ]
}

function square(pixels: Uint8Array): WriteElement[] {
  return pixelElements({ rows: SEGMENTED_EDGE, columns: SEGMENTED_EDGE }, pixels)
}

function sopReference(sopClass: string, sopUid: string): WriteElement[] {
  return [
    { tag: 0x00081150, vr: 'UI', value: sopClass },
    { tag: 0x00081155, vr: 'UI', value: sopUid },
  ]
}

function segments(...labels: string[]): WriteElement {
  return {
    tag: 0x00620002,
    vr: 'SQ',
    value: labels.map((label, at): WriteElement[] => [
      { tag: 0x00620004, vr: 'US', value: at + 1 },
      { tag: 0x00620005, vr: 'LO', value: label },
    ]),
  }
}

/** One frame that lies where the slice lies. Source: PS3.3 C.7.6.16. */
function onSlice(more: readonly WriteElement[] = []): WriteElement[] {
  const shared: WriteElement[] = [
    { tag: 0x00209116, vr: 'SQ', value: [[{ tag: 0x00200037, vr: 'DS', value: '1\\0\\0\\0\\1\\0' }]] },
    { tag: 0x00289110, vr: 'SQ', value: [[{ tag: 0x00280030, vr: 'DS', value: '2\\2' }]] },
  ]
  const own: WriteElement[] = [
    { tag: 0x00209113, vr: 'SQ', value: [[{ tag: 0x00200032, vr: 'DS', value: '0\\0\\0' }]] },
    ...more,
  ]
  return [
    { tag: 0x00280008, vr: 'IS', value: '1' },
    { tag: 0x52009229, vr: 'SQ', value: [shared] },
    { tag: 0x52009230, vr: 'SQ', value: [own] },
  ]
}
