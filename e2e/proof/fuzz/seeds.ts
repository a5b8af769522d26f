import { encodeAnswer, encodeRequest } from '@hilum/dicom/dimse/association-pdu'
import { CommandField, encodeCommand } from '@hilum/dicom/dimse/command'
import { deflate } from '@hilum/dicom/node/inflate'
import { listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
} from '@hilum/dicom/transfer-syntaxes'
import { type WriteElement, writePart10 } from '@hilum/dicom/write-part10'
import { MAX_INPUT_BYTES } from './mutate.ts'

export function seedsOf(target: string): Uint8Array[] {
  if (target === 'association') return associationSeeds()
  if (target === 'multipart') return multipartSeeds()
  return [...madeFiles(), ...corpusFiles()]
}

/** Small files whole, and the beginnings of large ones. */
function corpusFiles(): Uint8Array[] {
  const files = listCorpus().filter((file) => !file.path.includes('nested-') && !file.path.startsWith('media/zip/'))
  const small = files.filter((file) => Number(file.size) <= MAX_INPUT_BYTES).map((file) => readCorpusFile(file.path))
  const large = files.filter(
    (file) => Number(file.size) > MAX_INPUT_BYTES && file.path.startsWith('transfer-syntaxes/'),
  )
  return [...small, ...large.map((file) => readCorpusFile(file.path).subarray(0, 8192))]
}

const photometrics = ['MONOCHROME1', 'PALETTE COLOR', 'RGB', 'YBR_FULL', 'YBR_FULL_422']

function madeFiles(): Uint8Array[] {
  const plain = [ExplicitLittleEndian, ImplicitLittleEndian, ExplicitBigEndian].flatMap((syntax) =>
    photometrics.map((photometric) => writePart10(elementsOf(photometric), syntax)),
  )
  const explicit = writePart10(elementsOf('RGB'), ExplicitLittleEndian)
  const start = writePart10([], DeflatedLittleEndian)
  const bare = writePart10([], ExplicitLittleEndian)
  return [...plain, new Uint8Array(Buffer.concat([start, deflate(explicit.subarray(bare.length))]))]
}

function elementsOf(photometric: string): WriteElement[] {
  const samples = photometric.startsWith('MONO') || photometric.startsWith('PAL') ? 1 : 3
  return [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: ['', 'ISO 2022 IR 87'] },
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: 'Seed^One' },
    { tag: Tag.PatientID, vr: 'LO', value: 'S1' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2.3' },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3.1' },
    {
      tag: Tag.IssuerOfPatientIDQualifiersSequence,
      vr: 'SQ',
      value: [[{ tag: Tag.UniversalEntityID, vr: 'UT', value: '1.9' }]],
    },
    { tag: Tag.NumberOfFrames, vr: 'IS', value: '2' },
    ...(photometric.startsWith('PAL') ? palette() : []),
    ...pixelElements({ rows: 4, columns: 4, samplesPerPixel: samples, photometric }, new Uint8Array(32 * samples)),
  ].toSorted((one, other) => one.tag - other.tag) as WriteElement[]
}

function palette(): WriteElement[] {
  return [0, 1, 2].flatMap((colour): WriteElement[] => [
    { tag: 0x00281101 + colour, vr: 'US', value: [16, 0, 16] },
    { tag: 0x00281201 + colour, vr: 'OW', value: new Uint8Array(32).fill(colour) },
  ])
}

function associationSeeds(): Uint8Array[] {
  const contexts = [{ id: 1, abstractSyntax: '1.2.840.10008.1.1', transferSyntaxes: [ImplicitLittleEndian] }]
  const roles = [{ sopClass: '1.2.840.10008.1.1', isScu: true, isScp: true }]
  const titles = { calledTitle: 'NODE', callingTitle: 'SEED' }
  const userIdentity = { type: 2, wantsAnswer: true, primary: Buffer.from('a'), secondary: Buffer.from('b') }
  const request = encodeRequest({ ...titles, contexts, maxPduBytes: 16_384, roles, userIdentity }).subarray(6)
  const asked = { titleBytes: request.subarray(4, 36), userIdentity, wantsWindow: true }
  const answers = [{ id: 1, result: 0, transferSyntax: ImplicitLittleEndian }]
  const answer = encodeAnswer(asked, {
    contexts: answers,
    maxPduBytes: 16_384,
    roles,
  })
  const command = encodeCommand(
    {
      field: CommandField.StoreRequest,
      affectedSopClass: '1.2.3',
      affectedSopInstance: '1.2.4',
      messageId: 1,
      priority: 0,
    },
    true,
  )
  return [request, answer.subarray(6), command].map((bytes, index) => Uint8Array.from([index, ...bytes]))
}

function multipartSeeds(): Uint8Array[] {
  const part = '--x\r\nContent-Type: application/dicom\r\nContent-Length: 4\r\n\r\nabcd\r\n'
  return [`${part}${part}--x--\r\n`, `preamble\r\n${part}--x--epilogue`, '--x\r\n\r\n\r\n--x--', '--x--'].map((text) =>
    Uint8Array.from(Buffer.from(text)),
  )
}
