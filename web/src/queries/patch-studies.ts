import type { Study } from '@hilum/contract/entities/study'
import type { QueryClient } from '@tanstack/react-query'
import { noteLeft } from '../state/left-studies.ts'
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
export function removeFromLists(client: QueryClient, uuids: readonly string[]): Promise<void> {
  client.setQueriesData<StudyPage>(
    pages,
    (page) => page && { ...page, studies: page.studies.filter(({ uuid }) => !uuids.includes(uuid)) },
  )
  noteLeft(uuids)
  return readStudiesAgain(client, uuids)
}

/** Asks the server again for these studies, the lists and the counts. */
export async function readStudiesAgain(client: QueryClient, uuids: readonly string[]): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: studyKeys.lists }),
    client.invalidateQueries({ queryKey: studyKeys.badges }),
    ...uuids.map((uuid) => client.invalidateQueries({ queryKey: studyKeys.one(uuid) })),
  ])
}
