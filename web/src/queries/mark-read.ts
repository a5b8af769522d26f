import { studySet } from '@hilum/contract/calls/study'
import type { Study } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi } from '../api/call-api.ts'
import { mayCall } from '../session/use-may.ts'
import { patchStudies } from './patch-studies.ts'

/** Takes the unread mark from a study that somebody has opened, here and for their next sign-in. */
export function useMarkRead(study: Study | undefined): void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (uuid: string) => callApi(studySet, { study_id: uuid, unread: 0 }),
    onSuccess: (_reply, uuid) => patchStudies(client, [uuid], { unread: 0 }),
  })
  // A deleted study takes no marks.
  const isMarked = study?.unread === 1 && !study.deleted_at && mayCall(studySet, study.permissions)
  const unreadUuid = isMarked ? study.uuid : undefined
  useEffect(() => {
    if (unreadUuid) mutate(unreadUuid)
  }, [unreadUuid, mutate])
}
