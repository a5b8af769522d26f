import { flagParameter, flagOfDefault, reading, textParameter, textOf, Unreadable, uuid } from '../route-parameters.ts'

/** Where the storage API begins on a host. */
export const storageBase = '/api/v3/storage'
export const studyPath = `${storageBase}/study/:namespace/:studyUid` as const
export const imagePath = `${studyPath}/image/:imageUid/version/:version` as const

export const ofRecord = {
  phi_namespace: uuid('the namespace whose record is meant; without one that of the path'),
} as const
export const attributeChoice = {
  groups: textParameter('groups of attributes', '0008,0010'),
  include_tags: textParameter('tags or keywords, by commas', '00080018,PatientName'),
  exclude_unnamed: flagParameter('only attributes with a name'),
} as const
export const wholeValues = { all_dicom_values: flagParameter('all of several values, between backslashes') } as const
export const syntaxChoice = {
  transfer_syntax: textParameter(
    'UID of Explicit VR Little Endian or of a lossless syntax; * or none is as stored',
    '1.2.840.10008.1.2.1',
  ),
  as_received: flagParameter('without the corrections of people'),
} as const
export const size = {
  size: reading(readSize, {
    json: { type: 'string', pattern: '^[0-9]{1,5}(x[0-9]{1,5})?$' },
    says: 'an edge, or WIDTHxHEIGHT, into which the picture fits; 0 is its own size',
    example: '512x512',
  }),
} as const
export const pictureQuality = {
  quality: reading(readQuality, {
    json: { type: 'number', minimum: 0, maximum: 1, default: 0.9 },
    says: 'quality of a JPEG',
    example: '0.8',
  }),
} as const
export const overlays = { overlays: flagOfDefault('0 leaves overlays out') } as const
export const jobId = {
  job_id: textParameter('as the header, where there are no headers to set', 'download-1'),
} as const
export const jobHeader = 'The header X-AmbraHealth-Job-Id names the request as a job (job/get, channel job.).'

const namespace = 'ff8b549e-d1d3-47d4-ad54-5f7c4f55af4e'
const patient = { patient_name: 'DOE^JANE', patientid: '4711', patient_sex: 'F', patient_birth_date: '19700102' }

/** Answers in JSON, as the API page shows them. */
export const replies = {
  storedImage: {
    study_uid: '2.25.1',
    image_uid: '2.25.1.1.1',
    image_version: '74c07089-fbd9-4546-d94c-b007a40cae42',
    namespace,
    attr: {
      series_uid: '2.25.1.1',
      sop_class_uid: '1.2.840.10008.5.1.4.1.1.2',
      transfer_syntax_uid: '1.2.840.10008.1.2.1',
      modality: 'CT',
      frame_count: 1,
      sha256: '74c07089fbd94546d94cb007a40cae425a8c209bd4ea7ea2442c4fcd4927382c',
    },
    outcome: 'stored',
    elsewhere: ['2.25.9'],
  },
  patient,
  exam: { study_description: 'CT head', study_date: '20260102', study_time: '101112', modality: 'CT' },
  attributes: { tags: [{ group: 16, element: 16, name: 'PatientName', vr: 'PN', vl: 8, value: 'DOE^JANE' }] },
  attachment: {
    id: '451db35c-93d1-4010-8217-cb018d45cfc1',
    version: '9e161a00-bf1d-9d60-54ad-9ced9318fe17',
    filename: 'report.pdf',
    size: 618,
    stored: 1795385246786,
    phi_namespace: namespace,
  },
  changedStudy: { namespace, study_uid: '2.25.1' },
  upload: { upload_uuid: '62ff6ef5-33b0-4016-a924-7dab44ec0de9' },
} as const

/** The edges that a picture is to fit into. 0 and nothing limit nothing. @throws Unreadable */
function readSize(sent: unknown): { width: number; height: number } | undefined {
  const size = textOf(sent)
  if (!size || size === '0') return undefined
  const match = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(size)
  const width = Number(match?.[1] ?? 0)
  const height = Number(match?.[2] ?? width)
  if (width < 1 || height < 1) throw new Unreadable('The size must be an edge or WxH')
  return { width, height }
}

/** 0 to 1 on the wire, 1 to 100 inside. @throws Unreadable */
function readQuality(sent: unknown): number {
  const sentText = textOf(sent)
  const quality = sentText === undefined ? 0.9 : Number(sentText)
  if (!(quality >= 0 && quality <= 1)) throw new Unreadable('The quality must lie between 0 and 1')
  return Math.max(1, Math.round(quality * 100))
}
