import { mostInArchive } from '../limits.ts'
import { defineRoute } from '../route.ts'
import { flagParameter, textParameter, uids, uuids } from '../route-parameters.ts'
import { jobId, ofRecord, replies, studyPath, syntaxChoice } from './storage-parameters.ts'

const reason = 'application/json: {"reason": text}'
const answer = '202 application/json'

export const studyDownload = defineRoute({
  methods: ['GET', 'HEAD', 'POST'],
  path: `${studyPath}/download`,
  summary: 'A study as an archive.',
  on: { kind: 'study', may: 'downloadExam' },
  query: {
    ...ofRecord,
    ...syntaxChoice,
    bundle: textParameter('dicom (ZIP with DICOMDIR), image (pictures) or iso (disc)', 'dicom', {
      enum: ['dicom', 'image', 'iso'],
    }),
    series_uid: uids('series'),
    image_uid: uids('images'),
    flat_directory: flagParameter('no folders'),
    roche_directory: flagParameter('folders named after patient, study and series'),
    include_wrapped_dicoms: flagParameter('documents beside the pictures'),
    anonymize_tags: textParameter(
      'TAG=VALUE by commas, the tag as a decimal number; an empty value empties the attribute, __DELETE__ leaves it out',
      '1048592=ANON,1048624=__DELETE__',
    ),
    and_studies: uuids(
      `ours: up to ${mostInArchive - 1} further records, each study in a folder of its own; bundle=dicom alone`,
    ),
    job_id: textParameter('names the download on the channel', 'download-1'),
  },
  body: 'of POST, application/x-www-form-urlencoded: anonymize_tags, where they are too long for an address',
  answer: '200 application/zip or application/x-iso9660-image; 206 of a range',
  audit: ['STUDY_DOWNLOAD'],
  errors: [
    'NO_IMAGES_IN_STUDY',
    'SERIES_NOT_FOUND',
    'IMAGES_NOT_FOUND',
    'NOT_ACCEPTABLE',
    'CONFLICT',
    'ANONYMIZE_TAGS_FORMAT_ERROR',
    'PAYLOAD_TOO_LARGE',
    'REQUESTED_RANGE_NOT_SATISFIABLE',
  ],
})

export const storedStudyDelete = defineRoute({
  methods: ['DELETE'],
  path: studyPath,
  summary: 'Deletes the images of a study.',
  on: { kind: 'study', may: 'deleteStudy' },
  query: { ...ofRecord, ...jobId, keep_attachments: flagParameter('delete the images alone') },
  answer,
  reply: replies.changedStudy,
  errors: ['CONFLICT', 'IMAGES_NOT_FOUND'],
})

export const storedImageDelete = defineRoute({
  methods: ['DELETE'],
  path: `${studyPath}/image/:imageUid`,
  summary: 'Deletes one image.',
  on: { kind: 'study', may: 'deleteImages' },
  query: { ...ofRecord, ...jobId },
  answer,
  reply: replies.changedStudy,
  errors: ['CONFLICT', 'IMAGE_NOT_FOUND', 'IMAGES_NOT_FOUND'],
})

export const storedImagesDelete = defineRoute({
  methods: ['DELETE'],
  path: `${studyPath}/images`,
  summary: 'Deletes the images that the body names.',
  on: { kind: 'study', may: 'deleteImages' },
  query: { ...ofRecord, ...jobId },
  body: 'text: image_uids= and SOP Instance UIDs, by commas',
  answer,
  reply: replies.changedStudy,
  errors: ['CONFLICT', 'IMAGE_NOT_FOUND', 'IMAGES_NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
})

export const studyRedraw = defineRoute({
  methods: ['DELETE'],
  path: `${studyPath}/cache`,
  summary: 'Forgets pictures and metadata made ahead.',
  on: { kind: 'study', may: 'redrawStudy' },
  query: ofRecord,
  answer,
  reply: replies.changedStudy,
  errors: [],
})

export const studyHold = defineRoute({
  methods: ['POST'],
  path: `${studyPath}/hold`,
  summary: 'Keeps a study from every deletion.',
  on: { kind: 'study', may: 'holdStudy' },
  query: ofRecord,
  body: reason,
  answer,
  reply: { study_uid: '2.25.1', hold: 1 },
  errors: ['VALIDATION_ERROR', 'JSON_DESERIALIZE_EXCEPTION', 'PAYLOAD_TOO_LARGE', 'CONFLICT'],
})

export const studyHoldEnd = defineRoute({
  methods: ['DELETE'],
  path: `${studyPath}/hold`,
  summary: 'Ends a hold; without one it changes nothing.',
  on: { kind: 'study', may: 'holdStudy' },
  query: ofRecord,
  body: reason,
  answer,
  reply: { study_uid: '2.25.1', hold: 1 },
  errors: ['VALIDATION_ERROR', 'JSON_DESERIALIZE_EXCEPTION', 'PAYLOAD_TOO_LARGE', 'CONFLICT'],
})

export const studyOnePatient = defineRoute({
  methods: ['POST'],
  path: `${studyPath}/one_patient`,
  summary: 'Says that the patients named in a study are one.',
  on: { kind: 'study', may: 'editStudy' },
  query: ofRecord,
  body: reason,
  answer,
  reply: { study_uid: '2.25.1' },
  errors: ['VALIDATION_ERROR', 'JSON_DESERIALIZE_EXCEPTION', 'PAYLOAD_TOO_LARGE', 'CONFLICT'],
})
