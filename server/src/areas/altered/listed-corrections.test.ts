import { listAttributes } from '@hilum/dicom/attribute-list'
import { readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { writePart10 } from '@hilum/dicom/write-part10'
import { expect, test } from 'vitest'
import { correctionOf } from './record-edits.ts'

test('an image of the old MRN is shown with the issuer of the new one, another MRN keeps its own', () => {
  const made = { who: 'u', when: '2026-01-31T10:00:00.000Z' }
  const edits = [
    { tag: 'patientid' as const, old: 'X1', new: 'M1', ...made },
    { tag: 'issuer' as const, old: 'AWAY', new: 'HOME', ...made },
  ]
  const correction = correctionOf({ edits, issuer: 'HOME', mixed_patients: true })
  const shown = (mrn: string, issuer: string) => {
    const bytes = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
      { tag: Tag.PatientID, vr: 'LO', value: mrn },
      { tag: Tag.IssuerOfPatientID, vr: 'LO', value: issuer },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
    ])
    const read = readHeader(bytes, { untilPixelData: true })
    if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
    const { tags } = listAttributes(read.header, correction?.edits ?? [])
    return tags.filter((one) => one.group === 0x10).map((one) => one.value)
  }
  expect(shown('X1', 'AWAY')).toEqual(['M1', 'HOME'])
  expect(shown('X1', 'ELSEWHERE')).toEqual(['M1', 'HOME'])
  expect(shown('X2', 'AWAY')).toEqual(['X2', 'AWAY'])
})
