import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { listApprovalPlaces, listHarvestedPlaces, listWaitingPlaces } from './event-choice.sql.ts'

type Records = readonly { phi_namespace: string; uuid: string }[]

/** One mail names all studies that come into one namespace within this time. */
const TELL_AFTER_MS = 5 * 60_000

/** Has those mailed who chose to hear of what is harvested into the places of these records, or comes there by a share code. */
export async function askToTellOfHarvest(tx: Tx, records: Records, at: Date): Promise<void> {
  for (const namespaceUuid of await listHarvestedPlaces(tx, records)) {
    const [group, runAt] = [`harvest:${namespaceUuid}`, new Date(at.getTime() + TELL_AFTER_MS)]
    await enqueue(tx, declaredJobs.tellOfHarvest, { namespaceUuid }, { key: namespaceUuid, group, runAt })
  }
}

/**
 * Has those mailed who may approve the ones among these records that wait, and chose to hear of it. Webhooks hear of the
 * place alone: of a study that waits nobody is told.
 */
export async function askToTellOfApproval(tx: Tx, records: Records, at: Date): Promise<void> {
  await tellEvent(tx, 'STUDY_REQUEST_APPROVAL', await listWaitingPlaces(tx, records))
  for (const namespaceUuid of await listApprovalPlaces(tx, records)) {
    const [group, runAt] = [`approval:${namespaceUuid}`, new Date(at.getTime() + TELL_AFTER_MS)]
    await enqueue(tx, declaredJobs.tellOfApproval, { namespaceUuid }, { key: namespaceUuid, group, runAt })
  }
}
