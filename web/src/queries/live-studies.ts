import { studyList } from '@hilum/contract/calls/study'
import { channel } from '@hilum/contract/routes/others'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi } from '../api/call-api.ts'
import { subscribe } from '../api/channel.ts'
import { t } from '../labels/label.ts'
import { mayCall } from '../session/use-may.ts'
import { putNotice } from '../state/notices.ts'
import type { Inbox } from './namespaces.ts'
import { readChangedStudy, removeFromLists } from './patch-studies.ts'
import { findListedStudy, listedPlaces, studyKeys } from './studies.ts'

/** Events of a moment are answered together: a study of 5,000 images must not ask for 5,000 lists. */
const gatherMs = 400
/** Counts are asked for at most this often, however much arrives (the server does not count more often either). */
const countMs = 2000
/** Studies that are remembered as shown; more are forgotten together. */
const mostSeen = 5000

/** The studies among these that the person still finds among the others, and in the bin; undefined where nobody could say. */
async function findPlaces(uuids: readonly string[]) {
  const ask = async (isDeleted: 0 | 1) => {
    const list = { 'filter.uuid.in': uuids, 'filter.is_deleted.equals': isDeleted, 'page.rows': uuids.length }
    const { studies } = await callApi(studyList, {}, { list })
    return new Set(studies.map((one) => one.uuid))
  }
  const found = await Promise.all([ask(0), ask(1)]).catch(() => undefined)
  return found && { others: found[0], bin: found[1] }
}

/**
 * A list that is held still keeps its rows, but not those whose sharing has ended: their names go at once. Asks the
 * list, as it answers without those that are gone; `study/get` would refuse each of them.
 */
async function dropGone(client: QueryClient, uuids: readonly string[]): Promise<void> {
  const found = await findPlaces(uuids)
  // a question that failed says nothing of the studies
  const gone = found && uuids.filter((uuid) => !found.others.has(uuid) && !found.bin.has(uuid))
  if (gone?.length) await removeFromLists(client, gone)
}

/**
 * Takes rows away that somebody else deleted, restored or took back, also from a list that is held still. Rows that
 * leave a list for another reason, as by a filter, stay under the person's hand.
 * @param shown where the changed studies stood, before the lists were read again
 */
async function dropMoved(client: QueryClient, shown: ReadonlyMap<string, 'others' | 'bin'>): Promise<void> {
  const listed = listedPlaces(client)
  const missing = [...shown].filter(([uuid, place]) => listed.get(uuid) !== place)
  if (missing.length === 0) return
  const found = await findPlaces(missing.map(([uuid]) => uuid))
  const moved = found ? missing.filter(([uuid, place]) => !found[place].has(uuid)) : []
  if (moved.length > 0)
    await removeFromLists(
      client,
      moved.map(([uuid]) => uuid),
    )
}

/** Reads lists and studies again when the server says that they changed, in the places of which the person may hear. */
export function useLiveStudies(inboxes: readonly Pick<Inbox, 'namespaceId' | 'permissions'>[]): void {
  const client = useQueryClient()
  const heard = inboxes.filter((inbox) => mayCall(channel, inbox.permissions))
  const joined = heard.map(({ namespaceId }) => namespaceId).join(' ')
  useEffect(() => {
    const changed = new Set<string>()
    const retracted = new Set<string>()
    // a list may be read again before the word comes that a row of it went
    const seen = new Map<string, 'others' | 'bin'>()
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
      if (seen.size > mostSeen) seen.clear()
      for (const [uuid, place] of listedPlaces(client)) seen.set(uuid, place)
      const shown = new Map([...seen].filter(([uuid]) => changed.has(uuid) && !endable.includes(uuid)))
      void client.invalidateQueries({ queryKey: studyKeys.lists }).then(() => dropMoved(client, shown))
      for (const uuid of changed) void readChangedStudy(client, uuid)
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
