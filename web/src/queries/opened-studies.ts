import { studyList } from '@hilum/contract/calls/study'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { useEstablished } from '../session/session-store.ts'
import { forgetRecentStudies, useRecentStudies } from '../state/recent-studies.ts'
import { studyKeys } from './studies.ts'

/**
 * The studies that this session opened, the last one first, as they are now. At once as they were when they were opened;
 * those that have gone since (deleted, taken back, a place that was left) are forgotten when the server has answered.
 */
export function useOpenedStudies(): readonly Study[] {
  const { sessionId } = useEstablished()
  const opened = useRecentStudies(sessionId)
  const uuids = opened.map(({ uuid }) => uuid).toSorted()
  const { data: present } = useQuery({
    // a key of the lists: read again with every change of a study
    queryKey: [...studyKeys.lists, 'opened', uuids],
    queryFn: async ({ signal }) => {
      const list = { 'filter.uuid.in': uuids, 'filter.is_deleted.equals': 0, 'page.rows': uuids.length }
      const { studies } = await callApi(studyList, {}, { signal, list })
      const found = new Map(studies.map((study) => [study.uuid, study as Study])) // no fields were left out by the request
      forgetRecentStudies(uuids.filter((uuid) => !found.has(uuid)))
      return found
    },
    enabled: uuids.length > 0,
  })
  return opened.map((study) => present?.get(study.uuid) ?? study)
}
