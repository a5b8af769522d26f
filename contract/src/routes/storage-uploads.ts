import { maxTogetherByLink } from '../limits.ts'
import { defineRoute } from '../route.ts'
import { flagParameter, reading, textParameter, textOf, uid, Unreadable, uuid } from '../route-parameters.ts'
import { jobHeader, jobId, replies, storageBase } from './storage-parameters.ts'

const exampleSha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const exampleTags = '{"00100010":"DOE^JANE"}'

const arrival = [
  'VALIDATION_ERROR',
  'MISSING_REQUIRED_DICOM_TAG',
  'PAYLOAD_TOO_LARGE',
  'VIRUS_DETECTED',
  'NOT_ACCEPTABLE',
  'CONFLICT',
  'STORE_OPERATION_FAILED',
] as const

const fileSize = 'integer: bytes of the file'
/** Of images, or of the attachment that the file became. */
const wrapped = { ...replies.storedImage, images: [replies.storedImage], ...replies.attachment }

export const uploadImage = defineRoute({
  methods: ['POST'],
  path: `${storageBase}/namespace/:namespace/image`,
  summary: `Stores one DICOM file. ${jobHeader}`,
  on: { kind: 'namespace', in: 'path', may: 'uploadStudy' },
  query: { ...jobId, study_uid: uid('refuse a file of another study') },
  body: 'any type: the bytes of the file',
  answer:
    '202 application/json: what was stored, once it is on disk; outcome is stored, duplicate or conflict, elsewhere names other studies with this image',
  reply: replies.storedImage,
  errors: arrival,
})

export const uploadImageByLink = defineRoute({
  methods: ['POST'],
  path: `${storageBase}/link/image`,
  summary: `Stores one DICOM file where the request of the session asks for studies: a study that link/upload/begin announced; of a body of the type multipart/related up to ${maxTogetherByLink} of them. A file beyond the bytes that the request may store is refused (PAYLOAD_TOO_LARGE with left_bytes), and so is one of a study that the place shows as approved (CONFLICT) where such uploads wait. No other session opens it.`,
  on: { kind: 'request' },
  query: { study_uid: uid('the announced study of the file') },
  body: 'any type: the bytes of the file; or multipart/related: files as parts',
  answer:
    '202 application/json: the image, once it is on disk; nothing is told of what else is there. Of several in one body images names those that were taken, and image_uid the first; the others may be sent by themselves, which tells why',
  reply: {
    study_uid: replies.storedImage.study_uid,
    image_uid: replies.storedImage.image_uid,
    outcome: 'stored',
    images: [{ image_uid: replies.storedImage.image_uid, outcome: 'stored' }],
  },
  errors: arrival,
})

export const wrapByLink = defineRoute({
  methods: ['POST'],
  path: `${storageBase}/link/wrap`,
  summary:
    'Makes a picture (JPEG, PNG, TIFF) or PDF into DICOM where the request of the session asks for studies, and the place takes such files: in a study that link/upload/begin announced. The images that are made count to the bytes that the request may store; those before a refusal stay. No other session opens it, and other kinds of files are refused.',
  on: { kind: 'request' },
  query: { study_uid: uid('the announced study of the file') },
  headers: { 'X-File-Size': fileSize },
  body: 'multipart/form-data: parts tags and file; the tags name the patient',
  answer: '202 application/json: the made images, by whose SHA-256 link/upload/check tells whether they are there',
  reply: {
    study_uid: replies.storedImage.study_uid,
    images: [{ image_uid: replies.storedImage.image_uid, sha256: exampleSha256, outcome: 'stored' }],
  },
  errors: ['JSON_DESERIALIZE_EXCEPTION', ...arrival],
})

export const uploadToWrap = defineRoute({
  methods: ['POST'],
  path: `${storageBase}/namespace/:namespace/wrap`,
  summary: `Makes a picture, PDF, HTML page or video into DICOM. ${jobHeader}`,
  on: { kind: 'namespace', in: 'path', may: 'uploadStudy' },
  query: {
    ...jobId,
    study_uid: uid('the study to add to'),
    tags: textParameter('attributes by tag, as JSON', exampleTags),
    render_wrapped_pdf: flagParameter('draw the pages of a PDF as images'),
  },
  headers: { 'X-File-Size': fileSize },
  body: 'multipart/form-data: part file, and tags if not in the query',
  answer:
    '202 application/json: the made images, the first of them also by itself; of a file that becomes an attachment the fields from id on instead',
  reply: wrapped,
  errors: [...arrival, 'JSON_DESERIALIZE_EXCEPTION'],
})

export const chunksBegin = defineRoute({
  methods: ['GET'],
  path: `${storageBase}/multipart/initiate`,
  summary: 'Begins an upload in chunks.',
  on: { kind: 'caller', may: 'uploadStudy' },
  query: {},
  answer: '200 application/json',
  reply: replies.upload,
  errors: [],
})

export const chunkAdd = defineRoute({
  methods: ['POST'],
  path: `${storageBase}/multipart/:upload`,
  summary: 'Keeps one chunk of an upload.',
  on: { kind: 'caller' },
  query: {},
  headers: {
    'X-File-Name': 'text: the number of the chunk in five digits, from 00000',
    'X-AmbraHealth-part-checksum': 'integer: CRC-32 of the chunk, decimal',
  },
  body: 'any type: the bytes of the chunk',
  answer: '202 application/json',
  reply: { ...replies.upload, part: '00000' },
  errors: arrival,
})

export const chunksComplete = defineRoute({
  methods: ['POST'],
  path: `${storageBase}/multipart/:upload/complete`,
  summary: 'Puts the chunks together and stores or wraps the file.',
  on: { kind: 'namespace', in: 'query', may: 'uploadStudy' },
  query: {
    ...jobId,
    namespace: uuid('where to'),
    endpoint: reading(readEndpoint, {
      json: { type: 'string', enum: ['image', 'wrap'], default: 'image' },
      says: 'what the file is',
      example: 'wrap',
    }),
    study_uid: uid('as of image or wrap'),
    tags: textParameter('as for wrap', exampleTags),
    render_wrapped_pdf: flagParameter('as for wrap'),
  },
  headers: { 'X-File-Name': 'text: the name of the file, for wrap', 'X-File-Size': `${fileSize}, to be compared` },
  body: 'multipart/form-data or none',
  answer: '202 application/json: as of image or wrap',
  reply: wrapped,
  errors: [...arrival, 'JSON_DESERIALIZE_EXCEPTION'],
})

function readEndpoint(sent: unknown): 'image' | 'wrap' {
  const endpoint = textOf(sent) ?? 'image'
  if (endpoint === 'image' || endpoint === 'wrap') return endpoint
  throw new Unreadable('The endpoint must be image or wrap')
}
