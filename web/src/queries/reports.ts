import { addressOf } from '@hilum/contract/route'
import { imagePdf } from '@hilum/contract/routes/storage-images'
import { imageMetadata } from '@hilum/contract/routes/storage-studies'
import { queryOptions } from '@tanstack/react-query'
import { readStored, withSid } from '../api/attachments.ts'
import { getStorage, namesOf } from '../api/storage.ts'
import type { StoredImage, SchemaSeries, StudyPlace } from './study-schema.ts'

/** A report among the objects of a study: what it is told by its SOP class (PS3.4 B.5). */
export interface StoredReport {
  kind: 'structured' | 'pdf' | 'clinical'
  seriesUid: string
  image: StoredImage
  series: SchemaSeries
}

/** A larger document is not held in the page's memory. */
const maxShownBytes = 100 * 1024 * 1024

/** The reports among the objects of a study. Key object notes are lists of images, not reports. */
export function reportsAmong(series: readonly SchemaSeries[]): StoredReport[] {
  return series.flatMap((one) =>
    one.images.flatMap((image) => {
      const kind = kindOf(image.sop_class_uid ?? '')
      return kind ? [{ kind, seriesUid: one.series_uid, image, series: one }] : []
    }),
  )
}

function kindOf(sopClass: string): StoredReport['kind'] | undefined {
  if (sopClass === '1.2.840.10008.5.1.4.1.1.104.1') return 'pdf'
  if (sopClass === '1.2.840.10008.5.1.4.1.1.104.2') return 'clinical'
  if (sopClass === '1.2.840.10008.5.1.4.1.1.88.59') return undefined
  return sopClass.startsWith('1.2.840.10008.5.1.4.1.1.88.') ? 'structured' : undefined
}

/** The attributes of one object in the DICOM JSON model, as the record has them corrected. */
export const reportContentQuery = (study: StudyPlace, { seriesUid, image }: StoredReport) =>
  queryOptions({
    queryKey: ['report', study.storage_namespace, study.study_uid, study.phi_namespace, image.id, image.version],
    queryFn: ({ signal }) => {
      const names = { ...namesOf(study), seriesUid, imageUid: image.id }
      return getStorage(addressOf(imageMetadata, names, { phi_namespace: study.phi_namespace }), signal, study.sid)
    },
  })

/** Address of the PDF inside an object; without the session of a link no secret stands in it. */
export function reportPdfAddress(study: StudyPlace, { image }: StoredReport): string {
  const names = { ...namesOf(study), imageUid: image.id, version: image.version }
  return withSid(addressOf(imagePdf, names, { phi_namespace: study.phi_namespace }), study)
}

/** The PDF inside an object, or `tooLarge`. The call fails with the status 415 where there is none. */
export const reportPdfQuery = (study: StudyPlace, report: StoredReport) =>
  queryOptions({
    queryKey: ['report-pdf', study.storage_namespace, study.study_uid, report.image.id, report.image.version],
    queryFn: async ({ signal }): Promise<Blob | 'tooLarge'> => {
      const stop = new AbortController()
      const reply = await readStored(reportPdfAddress(study, report), AbortSignal.any([signal, stop.signal]), study.sid)
      if (Number(reply.headers.get('content-length')) <= maxShownBytes) return reply.blob()
      stop.abort()
      return 'tooLarge'
    },
    staleTime: Infinity,
    gcTime: 0,
  })
