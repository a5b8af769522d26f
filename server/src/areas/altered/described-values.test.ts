import { correctFile } from '@hilum/dicom/node/correct-file'
import { readDataSet, readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'
import { encodeElements, encodeItem, type WriteElement, writePart10 } from '@hilum/dicom/write-part10'
import { expect, test } from 'vitest'
import { correctionOf, type RecordEdit } from './record-edits.ts'

const explicit = { isExplicit: true, isLittleEndian: true }
const item = (...elements: WriteElement[]) => encodeItem(encodeElements(elements, explicit), explicit)

const ofNumber: WriteElement[] = [
  { tag: Tag.OtherPatientIDs, vr: 'LO', value: 'OTHER-7' },
  { tag: Tag.OtherPatientIDsSequence, vr: 'SQ', value: item({ tag: Tag.PatientID, vr: 'LO', value: 'OTHER-8' }) },
]
const ofIssuer: WriteElement[] = [
  {
    tag: Tag.IssuerOfPatientIDQualifiersSequence,
    vr: 'SQ',
    value: item({ tag: Tag.UniversalEntityID, vr: 'UT', value: '1.2.840.99' }),
  },
]
const ofAccession: WriteElement[] = [
  {
    tag: Tag.IssuerOfAccessionNumberSequence,
    vr: 'SQ',
    value: item({ tag: Tag.UniversalEntityID, vr: 'UT', value: '1.2.840.98' }),
  },
  {
    tag: Tag.RequestAttributesSequence,
    vr: 'SQ',
    value: item(
      { tag: Tag.AccessionNumber, vr: 'SH', value: 'A-OLD' },
      { tag: Tag.RequestedProcedureID, vr: 'SH', value: 'RP-OLD' },
    ),
  },
  { tag: Tag.PlacerOrderNumberImagingServiceRequest, vr: 'LO', value: 'P-OLD' },
  { tag: Tag.FillerOrderNumberImagingServiceRequest, vr: 'LO', value: 'F-OLD' },
  {
    tag: Tag.ReferencedRequestSequence,
    vr: 'SQ',
    value: item({ tag: Tag.AccessionNumber, vr: 'SH', value: 'A-REPORT' }),
  },
]
const all = [...ofNumber, ...ofIssuer, ...ofAccession]

const image = writePart10([
  { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
  { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
  { tag: Tag.AccessionNumber, vr: 'SH', value: 'A-OLD' },
  { tag: Tag.PatientID, vr: 'LO', value: 'X1' },
  { tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'AWAY' },
  { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
  { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
  ...all,
])

const edit = (tag: RecordEdit['tag'], old: string, text: string): RecordEdit => ({
  tag,
  old,
  new: text,
  who: 'u',
  when: '2026-01-31T10:00:00.000Z',
})
type Record = Omit<Parameters<typeof correctionOf>[0], 'issuer' | 'mixed_patients'> & { issuer?: string }

/** The image as it leaves under a record. */
function leaving(record: Record) {
  const read = readHeader(image, { untilPixelData: true })
  const correction = correctionOf({ issuer: '', mixed_patients: false, ...record })
  if (read.kind !== 'header' || !correction) throw new Error('The image is whole, and there is something to correct')
  const { prefix, tailOffset } = correctFile(image, read.header, correction)
  const { dataSet } = readDataSet(Buffer.concat([prefix, image.subarray(tailOffset)]))
  const originals = dataSet.elements.get(Tag.OriginalAttributesSequence)
  const kept = Buffer.from(originals ? dataSet.source.bytes.subarray(originals.start, originals.end) : '').toString(
    'latin1',
  )
  return { dataSet, kept, left: all.filter(({ tag }) => dataSet.elements.has(tag)) }
}

test.each<[string, Record, WriteElement[]]>([
  ['an MRN that was written', { edits: [edit('patientid', 'X1', 'M1')] }, ofNumber],
  [
    'an MRN and its issuer that were written',
    { edits: [edit('patientid', 'X1', 'M1'), edit('issuer', 'AWAY', 'HOME')], issuer: 'HOME' },
    [...ofNumber, ...ofIssuer],
  ],
  ['an issuer that was written', { edits: [edit('issuer', 'AWAY', 'HOME')], issuer: 'HOME' }, ofIssuer],
  ['an accession number that was written', { edits: [edit('accession_number', 'A-OLD', 'A-NEW')] }, ofAccession],
  [
    'the accession number of an order for all images',
    { edits: [], one_accession: true, accession_number: 'A-NEW' },
    ofAccession,
  ],
  [
    'the MRN of a record for all images',
    { edits: [], one_mrn: true, patientid: 'M1', issuer: 'HOME' },
    [...ofNumber, ...ofIssuer],
  ],
  ['the number that the images have already', { edits: [edit('patient_name', '', 'Roe^Jane')] }, []],
  [
    'the accession number that the image has already',
    { edits: [edit('patient_name', '', 'Roe^Jane')], one_accession: true, accession_number: 'A-OLD' },
    [],
  ],
])(
  'an image leaves under %s with nothing that describes the former value but among the original values',
  (_, record, gone) => {
    const { left, kept } = leaving(record)
    expect(left).toEqual(all.filter((one) => !gone.includes(one)))
    const values = gone.flatMap(
      ({ value }) =>
        Buffer.from(value as Uint8Array)
          .toString('latin1')
          .match(/[A-Z]+-[A-Z0-9]+|1\.2\.840\.9\d/g) ?? [],
    )
    expect(values.filter((value) => !kept.includes(value))).toEqual([])
  },
)

test('the value that is written stands in the image', () => {
  const { dataSet } = leaving({ edits: [], one_accession: true, accession_number: 'A-NEW' })
  expect(findText(dataSet, Tag.AccessionNumber)).toBe('A-NEW')
})
