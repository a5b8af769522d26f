import { studySet } from '@hilum/contract/calls/study'
import type { Study } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi } from '../api/call-api.ts'
import { may } from '../session/use-may.ts'
import { studyKeys, type StudyPage } from './studies.ts'

/** Takes the unread mark from a study that somebody has opened, here and for their next sign-in. */
export function useMarkRead(study: Study | undefined): void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (uuid: string) => callApi(studySet, { study_id: uuid, unread: 0 }),
    onSuccess: (_reply, uuid) => {
      client.setQueryData<Study>(studyKeys.one(uuid), (one) => one && { ...one, unread: 0 })
      client.setQueriesData<StudyPage>(
        { queryKey: [...studyKeys.lists, 'page'] },
        (page) => page && markRead(page, uuid),
      )
    },
  })
  const unreadUuid = study?.unread === 1 && may('editStudy', study.permissions) ? study.uuid : undefined
  useEffect(() => {
    if (unreadUuid) mutate(unreadUuid)
  }, [unreadUuid, mutate])
}

function markRead(page: StudyPage, uuid: string): StudyPage {
  return { ...page, studies: page.studies.map((study) => (study.uuid === uuid ? { ...study, unread: 0 } : study)) }
}
