import { orderList } from '@hilum/contract/calls/order'
import { type RelatedStudy, studyEditLimits, studyElsewhere, studyRelated } from '@hilum/contract/calls/study-acts'
import { studyMrnHolders } from '@hilum/contract/calls/study-mrn'
import { studyPatients } from '@hilum/contract/calls/study-patients'
import type { Study } from '@hilum/contract/entities/study'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { studyKeys } from './studies.ts'

const relatedFields = [
  'uuid',
  'patient_name',
  'study_description',
  'study_date',
  'modality',
  'phi_namespace_name',
  // to open one beside another
  'storage_namespace',
  'phi_namespace',
  'study_uid',
  'image_count',
  'accession_number',
  'thin',
]

/** Other studies, of those that the person may see, that are likely of the same patient. */
export const relatedStudiesQuery = ({ uuid, row_version: version }: Pick<Study, 'uuid' | 'row_version'>) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'related', version],
    queryFn: ({ signal }) => callApi(studyRelated, { uuid, fields: relatedFields }, { signal }),
  })

/** Related studies that a study can be merged with: of the same place, with images here. */
export const mergeable = (study: Pick<Study, 'phi_namespace'>, related: readonly RelatedStudy[]) =>
  related.filter(
    ({ study: one }) => one.phi_namespace === study.phi_namespace && (one.image_count ?? 0) > 0 && one.thin !== 1,
  )

/** Other people under the MRN of a study. */
export const mrnHoldersQuery = ({ uuid, row_version: version }: Pick<Study, 'uuid' | 'row_version'>) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), mrnHoldersKey, version],
    queryFn: ({ signal }) => callApi(studyMrnHolders, { uuid }, { signal }),
  })

/** The patients that the images of a study name. `updated` in the key reads anew after arrivals and deletions. */
export const patientsQuery = ({ uuid, updated }: Pick<Study, 'uuid' | 'updated'>) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'patients', updated],
    queryFn: ({ signal }) => callApi(studyPatients, { uuid }, { signal }),
  })

/** Marks what a change of one study's MRN makes stale for others too. */
const mrnHoldersKey = 'mrn-holders'
export const isAboutMrnHolders = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] === mrnHoldersKey

/** Other studies of the same place with images of the same SOP UIDs. */
export const elsewhereQuery = ({ uuid, image_count: count }: Pick<Study, 'uuid' | 'image_count'>) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'elsewhere', count],
    queryFn: ({ signal }) => callApi(studyElsewhere, { uuid }, { signal }),
  })

/** Objects of a study whose inside an edit cannot change. */
export const editLimitsQuery = (uuid: string, imageCount: number) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'edit-limits', imageCount],
    queryFn: ({ signal }) => callApi(studyEditLimits, { uuid }, { signal }),
  })

/** Orders with the study's accession number, or without one, with its MRN, unless that is somebody else's. */
export const studyOrdersQuery = (
  accountUuid: string,
  study: Pick<Study, 'accession_number' | 'patientid' | 'mrn_outside'>,
) => {
  const { accession_number: accession } = study
  const patientid = study.mrn_outside === 1 ? '' : study.patientid
  return queryOptions({
    queryKey: ['orders', accountUuid, accession || patientid],
    queryFn: async ({ signal }) => {
      const list = accession
        ? { 'filter.accession_number.equals': accession }
        : { 'filter.patientid.equals': patientid }
      return (await callApi(orderList, { account_id: accountUuid }, { signal, list })).orders
    },
    enabled: accession !== '' || patientid !== '',
  })
}
