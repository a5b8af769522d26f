import type { Study } from '@hilum/contract/entities/study'
import type { QueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { noteLeft } from '../state/left-studies.ts'
import { forgetRecentStudies } from '../state/recent-studies.ts'
import { studyKeys, type StudyPage } from './studies.ts'

const pages = { queryKey: [...studyKeys.lists, 'page'] }

/** Puts a change into everything that shows these studies, before the server's next word. */
export function patchStudies(
  client: QueryClient,
  uuids: readonly string[],
  change: Partial<Study> | ((study: Study) => Partial<Study>),
): void {
  const changed = (study: Study) => ({ ...study, ...(typeof change === 'function' ? change(study) : change) })
  for (const uuid of uuids) client.setQueryData<Study>(studyKeys.one(uuid), (one) => one && changed(one))
  const patch = (study: Study) => (uuids.includes(study.uuid) ? changed(study) : study)
  client.setQueriesData<StudyPage>(pages, (page) => page && { ...page, studies: page.studies.map(patch) })
}

/** Takes studies that the person sent away (deleted, restored) out of the lists on screen, and has all read again. */
export async function removeFromLists(client: QueryClient, uuids: readonly string[]): Promise<void> {
  client.setQueriesData<StudyPage>(
    pages,
    (page) => page && { ...page, studies: page.studies.filter(({ uuid }) => !uuids.includes(uuid)) },
  )
  noteLeft(uuids)
  forgetRecentStudies(uuids)
  await Promise.all([readListsAgain(client), ...uuids.map((uuid) => readChangedStudy(client, uuid))])
}

/** Asks the server again for these studies, the lists and the counts. */
export async function readStudiesAgain(client: QueryClient, uuids: readonly string[]): Promise<void> {
  await Promise.all([
    readListsAgain(client),
    ...uuids.map((uuid) => client.invalidateQueries({ queryKey: studyKeys.one(uuid) })),
  ])
}

function readListsAgain(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: studyKeys.lists }),
    client.invalidateQueries({ queryKey: studyKeys.badges }),
  ])
}

/**
 * Asks the server again for a study that may be deleted or gone by now, then for what hangs on the study (shares,
 * history, separations) where the study is still there: else the server would refuse those questions.
 */
export async function readChangedStudy(client: QueryClient, uuid: string): Promise<void> {
  const queryKey = studyKeys.one(uuid)
  await client.invalidateQueries({ queryKey, exact: true })
  await client.invalidateQueries({
    queryKey,
    predicate: (query) => query.queryKey.length > queryKey.length,
    refetchType: isOutOfReach(client, uuid) ? 'none' : 'active',
  })
}

function isOutOfReach(client: QueryClient, uuid: string): boolean {
  const state = client.getQueryState<Study>(studyKeys.one(uuid))
  if (state?.error) return ['NOT_FOUND', 'NOT_PERMITTED'].includes(failureCode(state.error))
  return state?.data?.is_deleted === 1
}
