import { defineRoute } from '../route.ts'
import { flagParameter, uids } from '../route-parameters.ts'
import { ofRecord, replies, storageBase, studyPath, attributeChoice, wholeValues } from './storage-parameters.ts'

const read = ['GET'] as const
const on = { kind: 'study', may: 'viewStudy' } as const
const audit = ['STUDY_VIEW'] as const
const metadata = `${storageBase}/dicomweb/:namespace/studies/:studyUid` as const

export const studySchema = defineRoute({
  methods: read,
  path: `${studyPath}/schema`,
  summary: 'Series and images of a study, and its attachments for whoever may see them.',
  on,
  query: {
    ...ofRecord,
    extended: flagParameter('with transfer_attributes of each image and phi_version'),
    attachments_only: flagParameter('without images'),
  },
  answer: '200 application/json',
  reply: {
    ...replies.changedStudy,
    series: [
      {
        series_uid: '2.25.1.1',
        modality: 'CT',
        series_number: 1,
        series_description: 'Axial',
        series_date: '20260102',
        series_time: '101112',
        body_part: 'HEAD',
        image_count: 1,
        size: 531932,
        images: [
          {
            id: '2.25.1.1.1',
            version: '74c07089-fbd9-4546-d94c-b007a40cae42',
            frame_count: 1,
            instance_number: 1,
            sop_class_uid: '1.2.840.10008.5.1.4.1.1.2',
            rows: 512,
            columns: 512,
            transfer_attributes: { transfer_syntax_uid: '1.2.840.10008.1.2.1', size: 531932 },
          },
        ],
      },
    ],
    attachments: [replies.attachment],
    phi_version: 1,
  },
  audit,
  errors: [],
})

export const studyCounts = defineRoute({
  methods: read,
  path: `${studyPath}/count`,
  summary: 'Counts images, series and, for whoever may see them, attachments.',
  on,
  query: {
    ...ofRecord,
    attachments_only: flagParameter('without images'),
    images_only: flagParameter('without attachments'),
    count_files: flagParameter('files rather than images'),
  },
  answer: '200 application/json',
  reply: { image_count: 1, series_count: 1, attachment_count: 1 },
  errors: [],
})

export const studyTags = defineRoute({
  methods: read,
  path: `${studyPath}/tag`,
  summary: 'Attributes of the record.',
  on,
  query: ofRecord,
  answer: '200 application/json',
  reply: replies.attributes,
  audit,
  errors: [],
})

export const studyPhi = defineRoute({
  methods: read,
  path: `${studyPath}/phi`,
  summary: 'Who the patient is.',
  on,
  query: ofRecord,
  answer: '200 application/json',
  reply: {
    study_uid: '2.25.1',
    phi_namespace: replies.attachment.phi_namespace,
    phi_version: 1,
    ...replies.patient,
    ...replies.exam,
  },
  audit,
  errors: [],
})

export const studyJson = defineRoute({
  methods: read,
  path: `${studyPath}/json`,
  summary: 'Attributes of every image.',
  on,
  query: { ...ofRecord, ...attributeChoice, ...wholeValues, series_uid: uids('series') },
  answer: '200 application/json',
  reply: [
    {
      series_uid: '2.25.1.1',
      image_uid: '2.25.1.1.1',
      image_version: '74c07089-fbd9-4546-d94c-b007a40cae42',
      ...replies.attributes,
    },
  ],
  audit,
  errors: ['SERIES_NOT_FOUND', 'NOT_ACCEPTABLE'],
})

export const studyMetadata = defineRoute({
  methods: read,
  path: `${metadata}/metadata`,
  summary: 'Metadata of a study, as of DICOMweb.',
  on,
  query: ofRecord,
  answer: '200 application/dicom+json',
  audit,
  errors: ['IMAGES_NOT_FOUND', 'NOT_ACCEPTABLE'],
})

export const seriesMetadata = defineRoute({
  methods: read,
  path: `${metadata}/series/:seriesUid/metadata`,
  summary: 'Metadata of a series, as of DICOMweb.',
  on,
  query: ofRecord,
  answer: '200 application/dicom+json',
  audit,
  errors: ['SERIES_NOT_FOUND', 'NOT_ACCEPTABLE'],
})

export const imageMetadata = defineRoute({
  methods: read,
  path: `${metadata}/series/:seriesUid/instances/:imageUid/metadata`,
  summary: 'Metadata of an image, as of DICOMweb.',
  on,
  query: ofRecord,
  answer: '200 application/dicom+json',
  audit,
  errors: ['IMAGE_NOT_FOUND', 'NOT_ACCEPTABLE'],
})
