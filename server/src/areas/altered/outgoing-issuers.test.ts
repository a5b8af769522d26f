import { listAttributes } from '@hilum/dicom/attribute-list'
import { readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { writePart10 } from '@hilum/dicom/write-part10'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctionOf, outgoingIssuers, type RecordEdit } from './record-edits.ts'

const issuers = fc.constantFrom('', 'OWN', 'SOUTH', 'WEST')
const numbers = fc.constantFrom('', 'M1', 'S9')
const made = { who: 'u', when: '2026-01-31T10:00:00.000Z' }

/** A record with the edits that people make: of the number, of its authority, of both, or none. */
const records = fc
  .record({
    first: fc.record({ patientid: numbers, issuer: issuers }),
    mrn: numbers,
    issuer: issuers,
    hasOf: fc.boolean(),
    isSaid: fc.boolean(),
  })
  .map(({ first, mrn, issuer, hasOf, isSaid }) => {
    // the number that stands may be said to be that of all images
    const isOther = mrn !== first.patientid || (isSaid && mrn !== '')
    const edits: RecordEdit[] = [
      ...(isOther ? [{ tag: 'patientid' as const, old: first.patientid, new: mrn, ...made }] : []),
      ...(issuer === first.issuer
        ? []
        : [
            {
              tag: 'issuer' as const,
              old: first.issuer,
              new: issuer,
              ...made,
              ...(isOther || !hasOf ? {} : { of: mrn }),
            },
          ]),
    ]
    return { first, record: { patientid: mrn, issuer, edits } }
  })
const images = fc.array(fc.record({ patientid: numbers, issuer: issuers }), { maxLength: 3 })

function leaving(
  record: { patientid: string; issuer: string; edits: RecordEdit[]; one_mrn?: boolean },
  image: { patientid: string; issuer: string },
) {
  const bytes = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
    { tag: Tag.PatientID, vr: 'LO', value: image.patientid },
    { tag: Tag.IssuerOfPatientID, vr: 'LO', value: image.issuer },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
  ])
  const read = readHeader(bytes, { untilPixelData: true })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  const { tags } = listAttributes(read.header, correctionOf({ ...record, mixed_patients: false })?.edits ?? [])
  const valueOf = (element: number) => tags.find((one) => one.group === 0x10 && one.element === element)?.value ?? ''
  return { patientid: valueOf(0x20), issuer: valueOf(0x21) }
}

test('the authorities by which an exam is judged are those that its images name as they leave', () => {
  const property = fc.property(records, images, ({ first, record }, more) => {
    const left = [first, ...more].map((image) => leaving(record, image)).filter(({ patientid }) => patientid !== '')
    const told = outgoingIssuers({ ...record, one_mrn: false }, [first, ...more])
    // none that leaves is missed; what is told besides is of the record, which no image may name
    expect(told).toEqual(expect.arrayContaining(left.map(({ issuer }) => issuer)))
    const known = new Set([...left.map(({ issuer }) => issuer), record.issuer])
    expect(told.filter((issuer) => !known.has(issuer))).toEqual([])
  })
  fc.assert(property, { numRuns: 500 })
})

test('of an exam whose images all get the MRN of its record, that of the record is judged alone', () => {
  const property = fc.property(numbers, issuers, images, (patientid, issuer, more) => {
    const record = { patientid, issuer, edits: [], one_mrn: patientid !== '' }
    fc.pre(record.one_mrn)
    expect(new Set(more.map((image) => leaving(record, image).issuer))).toEqual(new Set(more.map(() => issuer)))
    expect(outgoingIssuers(record, more)).toEqual([issuer])
  })
  fc.assert(property)
})
