import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { failureCode } from '../api/api-failure.ts'
import { subscribe } from '../api/channel.ts'
import { t } from '../labels/label.ts'
import { putNotice } from '../state/notices.ts'
import { removeFromLists } from './patch-studies.ts'
import { findListedStudy, studyKeys, studyQuery } from './studies.ts'

/** Events of a moment are answered together: a study of 5,000 images must not ask for 5,000 lists. */
const gatherMs = 400
/** Counts are asked for at most this often, however much arrives (the server does not count more often either). */
const countMs = 2000

/** A list that is held still keeps its rows, but not one whose sharing has ended: its name goes at once. */
async function dropIfGone(client: QueryClient, uuid: string): Promise<void> {
  try {
    await client.fetchQuery({ ...studyQuery(uuid), staleTime: 0, retry: false })
  } catch (failure) {
    // any other failure says nothing of the study
    if (failureCode(failure) === 'NOT_FOUND') await removeFromLists(client, [uuid])
  }
}

/** Reads lists and studies again when the server says that they changed. */
export function useLiveStudies(namespaceIds: readonly string[]): void {
  const client = useQueryClient()
  const joined = namespaceIds.join(' ')
  useEffect(() => {
    const changed = new Set<string>()
    const retracted = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let countTimer: ReturnType<typeof setTimeout> | undefined
    const countAgain = () => {
      countTimer = undefined
      void client.invalidateQueries({ queryKey: studyKeys.badges })
    }
    const readAgain = () => {
      timer = undefined
      for (const uuid of changed) {
        // a list that was read meanwhile no longer has what was taken back, while its rows may still be held
        if (retracted.has(uuid) || findListedStudy(client, uuid)?.source === 'share') void dropIfGone(client, uuid)
      }
      void client.invalidateQueries({ queryKey: studyKeys.lists })
      for (const uuid of changed) void client.invalidateQueries({ queryKey: studyKeys.one(uuid) })
      changed.clear()
      retracted.clear()
    }
    const stops = joined
      .split(' ')
      .filter(Boolean)
      .map((namespaceId) =>
        subscribe(`study.${namespaceId}`, (event) => {
          if (event !== 'joined' && event.uuid) changed.add(event.uuid)
          if (event !== 'joined' && event.event === 'RETRACTED') {
            if (event.uuid) retracted.add(event.uuid)
            putNotice(t('retract.notice'))
          }
          timer ??= setTimeout(readAgain, gatherMs)
          countTimer ??= setTimeout(countAgain, countMs)
        }),
      )
    return () => {
      clearTimeout(timer)
      clearTimeout(countTimer)
      for (const stop of stops) stop()
    }
  }, [client, joined])
}
