import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscribe } from '../api/channel.ts'
import { studyKeys } from './studies.ts'

/** Events of a moment are answered together: a study of 5,000 images must not ask for 5,000 lists. */
const gatherMs = 400
/** Counts are asked for at most this often, however much arrives (the server does not count more often either). */
const countMs = 2000

/** Reads lists and studies again when the server says that they changed. */
export function useLiveStudies(namespaceIds: readonly string[]): void {
  const client = useQueryClient()
  const joined = namespaceIds.join(' ')
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let countTimer: ReturnType<typeof setTimeout> | undefined
    const countAgain = () => {
      countTimer = undefined
      void client.invalidateQueries({ queryKey: studyKeys.badges })
    }
    const readAgain = () => {
      timer = undefined
      void client.invalidateQueries({ queryKey: studyKeys.lists })
      for (const uuid of changed) void client.invalidateQueries({ queryKey: studyKeys.one(uuid) })
      changed.clear()
    }
    const stops = joined
      .split(' ')
      .filter(Boolean)
      .map((namespaceId) =>
        subscribe(`study.${namespaceId}`, (event) => {
          if (event !== 'joined' && event.uuid) changed.add(event.uuid)
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
