import { defineRoute } from '../route.ts'
import { depth, flagParameter } from '../route-parameters.ts'
import {
  imagePath,
  ofRecord,
  overlays,
  pictureQuality,
  replies,
  size,
  syntaxChoice,
  attributeChoice,
  wholeValues,
} from './storage-parameters.ts'

// HEAD is a route of its own: the framework's would read the whole body to answer it.
const read = ['GET', 'HEAD'] as const
const on = { kind: 'study', may: 'viewStudy' } as const
const audit = ['STUDY_VIEW'] as const
const frameErrors = ['IMAGE_NOT_FOUND', 'NOT_ACCEPTABLE', 'CONFLICT', 'REQUESTED_RANGE_NOT_SATISFIABLE'] as const

export const imageFile = defineRoute({
  methods: read,
  path: imagePath,
  summary:
    'One image as a DICOM file; with ranges and ETag. Its version is that of the schema, or * for the one that is shown.',
  on,
  query: { ...ofRecord, ...syntaxChoice },
  answer: '200 application/dicom; 206 of a range',
  audit,
  errors: frameErrors,
})

export const imageFrame = defineRoute({
  methods: read,
  path: `${imagePath}/frame/:frame`,
  summary: 'A frame as a picture; frames count from 0.',
  on,
  query: { ...ofRecord, ...pictureQuality, ...size, ...overlays, depth: depth(8) },
  answer: '200 image/jpeg or image/png',
  audit,
  errors: frameErrors,
})

export const imageThumbnail = defineRoute({
  methods: read,
  path: `${imagePath}/frame/:frame/thumbnail`,
  summary: 'A frame as a small picture.',
  on,
  query: { ...ofRecord, depth: depth(8), ...overlays },
  answer: '200 image/jpeg',
  audit,
  errors: frameErrors,
})

export const imageDiagnostic = defineRoute({
  methods: read,
  path: `${imagePath}/frame/:frame/diagnostic`,
  summary: 'A frame without loss; all frames, as a tar, with "all" for its number.',
  on,
  query: { ...ofRecord, ...size, ...overlays, depth: depth(16) },
  answer: '200 image/png or application/x-tar',
  audit,
  errors: frameErrors,
})

export const imageTiff = defineRoute({
  methods: read,
  path: `${imagePath}/frame/:frame/tiff`,
  summary: 'A frame as TIFF.',
  on,
  query: { ...ofRecord, ...size, ...overlays, depth: depth(8) },
  answer: '200 image/tiff',
  audit,
  errors: frameErrors,
})

export const imagePdf = defineRoute({
  methods: read,
  path: `${imagePath}/pdf`,
  summary: 'The PDF in an encapsulated document, to be saved.',
  on,
  query: ofRecord,
  answer: '200 application/pdf',
  audit: ['STUDY_VIEW', 'REPORT_VIEW'],
  errors: ['IMAGE_NOT_FOUND', 'NOT_PDF_FILE', 'REQUESTED_RANGE_NOT_SATISFIABLE'],
})

export const imageVideo = defineRoute({
  methods: read,
  path: `${imagePath}/video`,
  summary: 'The video in an image.',
  on,
  query: { ...ofRecord, reencode_video: flagParameter('only what a browser plays') },
  answer: '200 video/mp4, video/mpeg or video/mp2t',
  audit,
  errors: [...frameErrors, 'NOT_VIDEO_IN_IMAGE'],
})

export const imageJson = defineRoute({
  methods: ['GET'],
  path: `${imagePath}/json`,
  summary: 'Attributes of an image, first values.',
  on,
  query: { ...ofRecord, ...attributeChoice, ...wholeValues },
  answer: '200 application/json',
  reply: replies.attributes,
  audit,
  errors: ['IMAGE_NOT_FOUND', 'NOT_ACCEPTABLE'],
})

export const imageAttribute = defineRoute({
  methods: ['GET'],
  path: `${imagePath}/attribute`,
  summary: 'Attributes of an image, all values.',
  on,
  query: { ...ofRecord, ...attributeChoice, ...wholeValues },
  answer: '200 application/json',
  reply: replies.attributes,
  audit,
  errors: ['IMAGE_NOT_FOUND', 'NOT_ACCEPTABLE'],
})

export const imagePhi = defineRoute({
  methods: ['GET'],
  path: `${imagePath}/phi`,
  summary: 'Who the patient of an image is.',
  on,
  query: ofRecord,
  answer: '200 application/json',
  reply: { ...replies.patient, ...replies.exam },
  audit,
  errors: ['IMAGE_NOT_FOUND', 'NOT_ACCEPTABLE'],
})
