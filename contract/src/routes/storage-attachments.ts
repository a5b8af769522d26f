import { defineRoute } from '../route.ts'
import { flagParameter } from '../route-parameters.ts'
import { jobHeader, jobId, ofRecord, replies, studyPath } from './storage-parameters.ts'

const attachments = `${studyPath}/attachment` as const
const version = `${attachments}/:id/version/:version` as const
const see = { kind: 'study', may: 'seeAttachments' } as const
const read = ['GET', 'HEAD'] as const
const answer = '200 of the type of its bytes'
const audit = ['REPORT_VIEW'] as const
const errors = ['ATTACHMENT_NOT_FOUND_EXCEPTION', 'REQUESTED_RANGE_NOT_SATISFIABLE'] as const

export const attachmentAdd = defineRoute({
  methods: ['POST'],
  path: attachments,
  summary: `Attaches a file. ${jobHeader}`,
  on: { kind: 'study', may: 'attachFile' },
  query: {
    ...ofRecord,
    ...jobId,
    wrap_images: flagParameter('make images of its pages, which takes the right to upload'),
    synchronous_wrap: flagParameter('and wait for them'),
    wrap_html_as_pdf: flagParameter('draw a page of HTML as PDF'),
    static_ids: flagParameter('the same images get the same UIDs each time'),
    return_html: flagParameter('the same JSON under the name of HTML, for a form in a hidden frame'),
  },
  body: 'multipart/form-data: part data',
  answer: '202 application/json; images where its pages became some',
  reply: { ...replies.attachment, images: [replies.storedImage] },
  errors: ['PAYLOAD_TOO_LARGE', 'VIRUS_DETECTED', 'VALIDATION_ERROR', 'NOT_ACCEPTABLE', 'CONFLICT'],
})

export const attachmentVersion = defineRoute({
  methods: read,
  path: version,
  summary: 'An attachment. Raster images are shown by a browser, everything else is saved.',
  on: see,
  query: ofRecord,
  answer,
  audit,
  errors,
})

export const attachmentNamed = defineRoute({
  methods: read,
  path: `${version}/:filename`,
  summary: 'An attachment, under a name.',
  on: see,
  query: ofRecord,
  answer,
  audit,
  errors,
})

export const attachmentLatest = defineRoute({
  methods: read,
  path: `${attachments}/latest`,
  summary: 'The newest attachment.',
  on: see,
  query: ofRecord,
  answer,
  audit,
  errors,
})

export const attachmentLatestNamed = defineRoute({
  methods: read,
  path: `${attachments}/latest/:filename`,
  summary: 'The newest attachment, under a name.',
  on: see,
  query: ofRecord,
  answer,
  audit,
  errors,
})

export const attachmentLatestEnding = defineRoute({
  methods: read,
  path: `${attachments}/latest.:ending`,
  summary: 'The newest attachment, under an ending.',
  on: see,
  query: ofRecord,
  answer,
  audit,
  errors,
})

export const attachmentRemove = defineRoute({
  methods: ['DELETE'],
  path: version,
  summary: 'Removes one version of an attachment.',
  on: { kind: 'study', may: 'removeAttachment' },
  query: { ...ofRecord, ...jobId },
  answer: '202 application/json',
  reply: replies.attachment,
  errors: ['ATTACHMENT_NOT_FOUND_EXCEPTION', 'CONFLICT'],
})

export const attachmentToImages = defineRoute({
  methods: ['POST'],
  path: `${version}/image`,
  summary: 'Makes images of the pages of an attachment.',
  on: { kind: 'study', may: 'wrapAttachment' },
  query: { ...ofRecord, ...jobId, static_ids: flagParameter('the same images get the same UIDs each time') },
  answer: '202 application/json: the made images, the first of them also by itself',
  reply: { ...replies.storedImage, images: [replies.storedImage] },
  errors: ['ATTACHMENT_NOT_FOUND_EXCEPTION', 'NOT_ACCEPTABLE', 'CONFLICT', 'VALIDATION_ERROR'],
})
