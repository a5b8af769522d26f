import { studySet } from '@hilum/contract/calls/study'
import { studyDelete, studyManualRoute } from '@hilum/contract/calls/study-acts'
import { tagAdd, tagDelete } from '@hilum/contract/calls/tag'
import { heldMrn, type HeldMrn } from '@hilum/contract/entities/mrn-holder'
import type { Study, StudyDicomField } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ApiFailure, failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import { isSameTagName } from '../format/tag-name.ts'
import { patchStudies, readStudiesAgain, removeFromLists } from './patch-studies.ts'
import { isAboutMrnHolders } from './study-facts.ts'
import { whileLocked } from './study-lock.ts'

interface TagChange {
  tag: string
  isAdded: boolean
}

/**
 * Adds a tag to a study or takes one off; shown at once, and taken back when it fails. Changes go out one after the
 * other: a tag that is added and removed again must not come back because its adding took longer.
 */
export function useChangeTag(uuid: string) {
  const client = useQueryClient()
  const mutationKey = ['change-tag', uuid]
  const show = ({ tag, isAdded }: TagChange) =>
    patchStudies(client, [uuid], ({ tags }) => {
      const rest = tags.filter((one) => !isSameTagName(one, tag))
      return { tags: isAdded ? [...rest, tag] : rest }
    })
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join() },
    mutationFn: ({ tag, isAdded }: TagChange) =>
      callApi(isAdded ? tagAdd : tagDelete, { tag, object: 'Study', object_id: uuid }),
    onMutate: show,
    onError: (_failure, { tag, isAdded }) => show({ tag, isAdded: !isAdded }),
    onSettled: () => {
      // The server does not know yet of those that wait, which would vanish for a moment.
      if (client.isMutating({ mutationKey }) > 1) return
      void readStudiesAgain(client, [uuid])
      void client.invalidateQueries({ queryKey: ['tags'] })
    },
  })
}

/** New values of a study's own fields and of custom ones, empty to clear. */
type StudyChange = Partial<Record<StudyDicomField | 'mrn_reason' | `customfield-${string}`, string>> & {
  seen_mrns?: string[]
}

/** PROCESS-19: every change of a record by a person locks it, sets it and unlocks it. */
async function changeStudy(uuid: string, change: StudyChange | { mrn_of_all: 0 }): Promise<void> {
  await whileLocked(uuid, () => callApi(studySet, { study_id: uuid, ...change }))
}

/** A change of an MRN; with a reason also where somebody else holds the new one. */
interface MrnChange {
  before: string
  after: string
  reason?: string
  /** The numbers of the images that stood on the screen; undefined where they name several patients. */
  seen?: string[] | undefined
}

/** MRN-01: gives the record another MRN, of the issuer that the server says: its own account. */
export function useChangeMrn(uuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ after, reason, seen }: MrnChange) =>
      changeStudy(uuid, {
        patientid: after,
        ...(reason ? { mrn_reason: reason } : {}),
        ...(seen ? { seen_mrns: seen } : {}),
      }),
    onSuccess: (_reply, { after }) => patchStudies(client, [uuid], { patientid: after }),
    // Not waited for: without a network the reading is tried for seconds, and why it failed is wanted now.
    onSettled: () => {
      void readStudiesAgain(client, [uuid])
      void client.invalidateQueries({ predicate: isAboutMrnHolders })
    },
  })
}

/** Takes back that the MRN of a study was said to be that of all its images. */
export function useEndMrnOfAll(uuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => changeStudy(uuid, { mrn_of_all: 0 }),
    onSettled: () => void readStudiesAgain(client, [uuid]),
  })
}

/** The people in the answer MRN_HELD of a change; undefined for any other failure. */
export function readHeldMrn(failure: unknown): HeldMrn | undefined {
  if (failureCode(failure) !== 'MRN_HELD') return undefined
  return heldMrn.safeParse((failure as ApiFailure).data).data // its code says that it is one
}

/** Fills custom fields of a study, by their uuid. */
export function useChangeFields({ uuid, customfields }: Pick<Study, 'uuid' | 'customfields'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: Readonly<Record<string, string>>) => {
      const sent = Object.entries(values).map(([field, value]) => [`customfield-${field}`, value] as const)
      return changeStudy(uuid, Object.fromEntries(sent))
    },
    onSuccess: (_reply, values) => {
      const after = customfields.map((field) => ({ ...field, value: values[field.uuid]?.trim() ?? field.value }))
      patchStudies(client, [uuid], { customfields: after })
    },
    onSettled: () => void readStudiesAgain(client, [uuid]),
  })
}

/** Outcome of deleting one exam. */
export interface DeleteResult {
  study: Study
  failure: ApiFailure | undefined
}

/**
 * DELETE-01: deletes exams, each by itself; one that fails leaves the others alone. The request as a whole fails with
 * NOT_PERMITTED, NOT_FOUND or MISSING_FIELDS (ERROR-20) or without a connection.
 * @param onResults is told what became of each, also when what asked for it has left the screen
 */
export function useDeleteStudies(onResults: (results: readonly DeleteResult[]) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (studies: readonly Study[]): Promise<DeleteResult[]> => {
      const items = studies.map(({ uuid, study_uid, storage_namespace, phi_namespace }) => ({
        parameters: { uuid, study_uid, storage_namespace, phi_namespace },
      }))
      const results = await callBundle(studyDelete, items)
      return studies.map((study, at) => {
        const result = results[at]
        return { study, failure: result && !result.isDone ? result.failure : undefined }
      })
    },
    // Told before the lists change: what asked for it may be gone with the study.
    onSuccess: (results) => {
      onResults(results)
      void removeFromLists(
        client,
        results.filter(({ failure }) => !failure).map(({ study }) => study.uuid),
      )
    },
  })
}

/** Sends a study along one of the routes that it lists. */
export function useManualRoute(uuid: string) {
  return useMutation({
    mutationFn: (routeUuid: string) => callApi(studyManualRoute, { uuid, route_id: routeUuid }),
  })
}

/**
 * The MRNs of the images as they stood on the screen; none of an exam whose images name several patients, nor of one whose
 * own MRN is empty or hidden, which tells nothing of the numbers of its images.
 */
export function mrnsSeenOf(study: Study): { seen_mrns?: string[] } {
  const seen = study.image_mrns ?? (study.patientid ? [study.patientid] : undefined)
  return study.mixed_patients === 1 || !seen ? {} : { seen_mrns: seen }
}
