import { defineRoute } from '../route.ts'
import { flagOfDefault, reading, strictFlag, textParameter } from '../route-parameters.ts'

/*
 * DICOMweb: search (QIDO-RS), retrieve (WADO-RS), store (STOW-RS). The namespace of an address is a uuid, or `all` for
 * everything that the caller may see. docs/conformance.md says more.
 */

const root = '/dicomweb/:namespace'
const ofStudy = `${root}/studies/:study` as const
const ofSeries = `${ofStudy}/series/:series` as const
const ofInstance = `${ofSeries}/instances/:instance` as const

// HEAD is a route of its own: the framework's would read the whole body to answer it.
const read = ['GET', 'HEAD'] as const
const see = { kind: 'dicomwebStudy', may: 'viewStudy' } as const
const list = { kind: 'dicomwebScope', may: 'viewStudy' } as const
const audit = ['STUDY_VIEW'] as const

const accept = { accept: textParameter('media type, before that of the header Accept', 'application/dicom+json') }
const retrieve = {
  accept: textParameter('media type, before that of the header Accept', 'application/dicom; transfer-syntax=*'),
  as_received: strictFlag('without the corrections of people'),
}
const overlays = { overlays: flagOfDefault('false leaves overlays out') }
const given = (says: string) =>
  reading((sent) => sent !== undefined, { json: { type: 'string' }, says: `${says}; no effect here`, example: '' })
const rendered = {
  accept: textParameter('media type, before that of the header Accept', 'image/png'),
  window: textParameter('center,width and linear, linear-exact or sigmoid', '40,400,linear'),
  viewport: textParameter('width,height into which the picture fits', '512,512', {
    pattern: '^[0-9]{1,5},[0-9]{1,5}$',
  }),
  quality: textParameter('quality of a JPEG', '80', { type: 'integer', minimum: 1, maximum: 100 }),
  ...overlays,
  annotation: given('texts on the picture'),
  iccprofile: given('colour profile of the picture'),
}
const search = {
  ...accept,
  limit: textParameter('most matches of this answer', '100', { type: 'integer', minimum: 0 }),
  offset: textParameter('matches before those of this answer', '0', { type: 'integer', minimum: 0, default: 0 }),
  fuzzymatching: textParameter('every word begins some word of the name', 'true', {
    enum: ['true', 'false'],
    default: 'false',
  }),
  emptyvaluematching: textParameter('the value "" finds the attributes without a value', 'true', {
    enum: ['true', 'false'],
    default: 'false',
  }),
  multiplevaluematching: textParameter('lists of values are taken with and without it', 'true', {
    enum: ['true', 'false'],
  }),
  includefield: textParameter('keywords or tags by commas, or all', 'StudyDescription'),
}

const searched = '200 application/dicom+json: a list, empty where nothing is found'
const searching = {
  methods: ['GET'],
  on: list,
  query: search,
  isSearch: true,
  answer: searched,
  errors: [400, 406],
} as const
const capable = {
  methods: ['GET', 'OPTIONS'],
  on: list,
  query: accept,
  answer: '200 application/vnd.sun.wadl+xml',
  errors: [406],
} as const

export const capabilities = defineRoute({
  ...capable,
  path: root,
  summary: 'What the service can do. The namespace is a uuid, or all for everything that the caller may see.',
})
export const capabilitiesWithSlash = defineRoute({
  ...capable,
  path: `${root}/`,
  summary: 'The same, with a slash at the end.',
})

export const searchStudies = defineRoute({
  ...searching,
  path: `${root}/studies`,
  summary: 'Searches studies (QIDO-RS).',
})
export const searchSeries = defineRoute({ ...searching, path: `${root}/series`, summary: 'Searches series.' })
export const searchInstances = defineRoute({ ...searching, path: `${root}/instances`, summary: 'Searches instances.' })
export const searchStudySeries = defineRoute({
  ...searching,
  path: `${ofStudy}/series`,
  summary: 'Searches series of a study.',
  audit,
})
export const searchStudyInstances = defineRoute({
  ...searching,
  path: `${ofStudy}/instances`,
  summary: 'Searches instances of a study.',
  audit,
})
export const searchSeriesInstances = defineRoute({
  ...searching,
  path: `${ofSeries}/instances`,
  summary: 'Searches instances of a series.',
  audit,
})

const described = {
  methods: read,
  on: see,
  query: accept,
  answer: '200 application/dicom+json',
  audit,
  errors: [406, 409],
} as const
export const retrieveStudyMetadata = defineRoute({
  ...described,
  path: `${ofStudy}/metadata`,
  summary: 'Metadata of a study.',
})
export const retrieveSeriesMetadata = defineRoute({
  ...described,
  path: `${ofSeries}/metadata`,
  summary: 'Metadata of a series.',
})
export const retrieveInstanceMetadata = defineRoute({
  ...described,
  path: `${ofInstance}/metadata`,
  summary: 'Metadata of an instance.',
})

const instances = '200 multipart/related of application/dicom'
const retrieved = {
  methods: read,
  on: see,
  query: retrieve,
  answer: instances,
  audit,
  errors: [406, 409, 416, 503],
} as const
/** The files of many images at once are a download, whatever the door. */
const downloaded = {
  ...retrieved,
  on: { kind: 'dicomwebStudy', may: 'downloadExam' },
  audit: ['STUDY_DOWNLOAD'],
} as const
export const retrieveStudy = defineRoute({
  ...downloaded,
  path: ofStudy,
  summary: 'All instances of a study (WADO-RS); as a download.',
})
export const retrieveSeries = defineRoute({
  ...downloaded,
  path: ofSeries,
  summary: 'All instances of a series; as a download.',
})
export const retrieveInstance = defineRoute({
  ...retrieved,
  path: ofInstance,
  summary: 'One instance.',
  answer: `${instances}, or application/dicom`,
})

const drawing = { methods: read, on: see, audit, errors: [400, 406, 416, 503] } as const
export const retrieveFrames = defineRoute({
  ...drawing,
  path: `${ofInstance}/frames/*`,
  summary: 'Frames by numbers from 1, by commas; …/rendered and …/thumbnail behind the numbers draw them.',
  query: {
    ...retrieve,
    ...rendered,
    accept: textParameter(
      'media type, before that of the header Accept: application/octet-stream, with transfer-syntax=* as stored, or the frame’s own type; behind rendered that of a picture',
      'application/octet-stream',
    ),
  },
  answer:
    '200 multipart/related of application/octet-stream or of the frame’s own type; one frame comes alone where multipart/related is not asked for',
})
export const retrieveBulkData = defineRoute({
  ...drawing,
  path: `${ofInstance}/bulkdata/*`,
  summary: 'A value that the metadata name by BulkDataURI.',
  query: accept,
  answer: '200 application/octet-stream',
})

const pictures = '200 image/jpeg, image/png or image/webp; several as multipart/related'
const rendering = { ...drawing, query: rendered, answer: pictures } as const
export const renderStudy = defineRoute({ ...rendering, path: `${ofStudy}/rendered`, summary: 'Pictures of a study.' })
export const renderSeries = defineRoute({
  ...rendering,
  path: `${ofSeries}/rendered`,
  summary: 'Pictures of a series.',
})
export const renderInstance = defineRoute({
  ...rendering,
  path: `${ofInstance}/rendered`,
  summary: 'A picture of an instance.',
})

const small = { ...drawing, query: { ...accept, ...overlays }, answer: '200 image/jpeg' } as const
export const thumbnailOfStudy = defineRoute({
  ...small,
  path: `${ofStudy}/thumbnail`,
  summary: 'A small picture of a study.',
})
export const thumbnailOfSeries = defineRoute({
  ...small,
  path: `${ofSeries}/thumbnail`,
  summary: 'A small picture of a series.',
})
export const thumbnailOfInstance = defineRoute({
  ...small,
  path: `${ofInstance}/thumbnail`,
  summary: 'A small picture of an instance.',
})

export const storeMeasurements = defineRoute({
  methods: ['POST'],
  path: `${ofStudy}/measurements`,
  summary: 'Stores one structured report with measurements of a study, for its viewer. Ours.',
  on: { kind: 'dicomwebStudy', may: 'storeMeasurements' },
  opensToDerived: true,
  query: {},
  body: 'application/dicom: one structured report of at most 4 MB',
  answer: '200 application/json: its series and its instance',
  reply: { series_uid: '2.25.2', sop_uid: '2.25.3' },
  errors: [400, 409, 413, 415, 503],
})

const storing = {
  methods: ['POST'],
  on: { kind: 'dicomwebNamespace', may: 'uploadStudy' },
  query: accept,
  body: 'multipart/related; type="application/dicom", or one application/dicom',
  errors: [400, 405, 406, 409, 413, 415, 503],
} as const
export const storeInstances = defineRoute({
  ...storing,
  path: `${root}/studies`,
  summary: 'Stores instances (STOW-RS).',
  answer: '200 application/dicom+json: stored; 202: some with a warning; 409: none',
})
export const storeInstancesOfStudy = defineRoute({
  ...storing,
  path: ofStudy,
  summary: 'Stores instances of one study.',
  answer: '200, 202, 409 application/dicom+json',
})
