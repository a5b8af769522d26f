import { pixelElements } from '@hilum/dicom/synthetic/study'
import { uidFrom } from '@hilum/dicom/synthetic/random'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import type { OutgoingInstance } from '../../outbound/pacs/outgoing-instance.ts'

/** Secondary Capture Image Storage: every node that keeps images is likely to take it. */
const sopClass = '1.2.840.10008.5.1.4.1.1.7'
const sizePx = 256

/** Nobody: no hospital gives such a number, and whoever finds the image reads what it is. */
export const testPatient = { name: 'TEST IMAGE^HILUM', id: 'HILUM-TEST-IMAGE' } as const

/**
 * An image of nobody, to try whether a destination stores images. Those of one destination lie in one study, so that they
 * are deleted there together.
 */
export function makeTestImage(destinationUuid: string, uidRoot: string | undefined, at: Date): OutgoingInstance {
  const uid = (part: string) => uidFrom(`test image/${destinationUuid}/${part}`, uidRoot)
  const sopInstance = newUid(uidRoot)
  const [date = '', time = ''] = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T')
  const bytes = writePart10([
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopInstance },
    { tag: Tag.StudyDate, vr: 'DA', value: date },
    { tag: Tag.ContentDate, vr: 'DA', value: date },
    { tag: Tag.StudyTime, vr: 'TM', value: time },
    { tag: Tag.ContentTime, vr: 'TM', value: time },
    { tag: Tag.AccessionNumber, vr: 'SH', value: '' },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.ConversionType, vr: 'CS', value: 'SYN' },
    { tag: Tag.ReferringPhysicianName, vr: 'PN', value: '' },
    { tag: Tag.StudyDescription, vr: 'LO', value: 'Test of the connection, no patient' },
    { tag: Tag.SeriesDescription, vr: 'LO', value: 'Test image' },
    { tag: Tag.PatientName, vr: 'PN', value: testPatient.name },
    { tag: Tag.PatientID, vr: 'LO', value: testPatient.id },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: '' },
    { tag: Tag.PatientSex, vr: 'CS', value: 'O' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: uid('study') },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: uid('series') },
    { tag: Tag.StudyID, vr: 'SH', value: 'TEST' },
    { tag: Tag.SeriesNumber, vr: 'IS', value: '1' },
    { tag: Tag.InstanceNumber, vr: 'IS', value: '1' },
    { tag: Tag.BurnedInAnnotation, vr: 'CS', value: 'NO' },
    ...pixelElements({ rows: sizePx, columns: sizePx }, wedge()),
  ])
  return {
    sopClass,
    sopInstance,
    transferSyntax: ExplicitLittleEndian,
    open: async function* () {
      yield bytes
    },
    useFile: () => Promise.reject(new Error('A test image has no pixels to decode')),
  }
}

/** Grey from black to white, above a chessboard. */
function wedge(): Uint8Array {
  return Uint8Array.from({ length: sizePx * sizePx }, (_, index) => {
    const [row, column] = [Math.floor(index / sizePx), index % sizePx]
    if (row < sizePx / 2) return column
    return (Math.floor(row / 16) + Math.floor(column / 16)) % 2 === 0 ? 40 : 215
  })
}
