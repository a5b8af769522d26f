import { studyList } from '@hilum/contract/calls/study'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi } from '../api/call-api.ts'
import { subscribe } from '../api/channel.ts'
import { t } from '../labels/label.ts'
import { putNotice } from '../state/notices.ts'
import { removeFromLists } from './patch-studies.ts'
import { findListedStudy, studyKeys } from './studies.ts'

/** Events of a moment are answered together: a study of 5,000 images must not ask for 5,000 lists. */
const gatherMs = 400
/** Counts are asked for at most this often, however much arrives (the server does not count more often either). */
const countMs = 2000

/**
 * A list that is held still keeps its rows, but not those whose sharing has ended: their names go at once. Asks the
 * list, as it answers without those that are gone; `study/get` would refuse each of them.
 */
async function dropGone(client: QueryClient, uuids: readonly string[]): Promise<void> {
  const ask = async (isDeleted: 0 | 1) => {
    const list = { 'filter.uuid.in': uuids, 'filter.is_deleted.equals': isDeleted, 'page.rows': uuids.length }
    const { studies } = await callApi(studyList, {}, { list })
    return studies.map((one) => one.uuid)
  }
  const there = await Promise.all([ask(0), ask(1)]).catch(() => undefined)
  // a question that failed says nothing of the studies
  const gone = there && uuids.filter((uuid) => !there.flat().includes(uuid))
  if (gone?.length) await removeFromLists(client, gone)
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
      // a list that was read meanwhile no longer has what was taken back, while its rows may still be held
      const endable = [...changed].filter(
        (uuid) => retracted.has(uuid) || findListedStudy(client, uuid)?.source === 'share',
      )
      if (endable.length > 0) void dropGone(client, endable)
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
