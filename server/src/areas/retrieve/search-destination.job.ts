import { maxFoundOrders, maxFoundStudies } from '@hilum/contract/limits'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { findStudies } from '../../outbound/pacs/find-studies.ts'
import { findWorklist } from '../../outbound/pacs/find-worklist.ts'
import { findOpenDestination } from '../destination/destination.sql.ts'
import { peerOf } from '../destination/peer-of-destination.ts'
import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { endSearch, findSearch } from './search.sql.ts'

/** A person waits in front of the screen, also while others are asked before. */
const MAX_SEARCH_MS = 120_000

/** Asks a destination for studies, or for its worklist, and stores its answers. A peer that refuses or is not there ends the search in words. */
export const searchDestinationActs: JobActs<PayloadOf<'searchDestination'>> = {
  run: async (services, { searchUuid }, { signal }) => {
    const { db } = services
    const search = await findSearch(db, searchUuid)
    if (search?.state !== 'waiting') return
    const destination = await findOpenDestination(db, search.destination_uuid, search.phi_namespace)
    if (!(search.worklist ? destination?.can_search_mwl : destination?.can_search) || !destination) {
      await endSearch(db, searchUuid, { state: 'failed', message: 'The destination is no longer there for this group' })
      return
    }
    if (Date.now() - search.created.getTime() > MAX_SEARCH_MS) {
      await endSearch(db, searchUuid, { state: 'failed', message: 'The destination could not be asked in time' })
      return
    }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SEARCH_MS)])
    try {
      const peer = await peerOf(services, destination)
      if (search.worklist) {
        const found = await findWorklist(peer, search.criteria, { maxOrders: maxFoundOrders, signal: limit })
        await endSearch(db, searchUuid, { state: 'done', ...found })
        return
      }
      const options = { maxStudies: maxFoundStudies, signal: limit }
      const { studies, isCut } = await findStudies(peer, search.criteria, options)
      // a study is retrieved by its UID, under whatever patients the peer holds it
      const results = [...new Map(studies.map((one) => [one.study_uid, one])).values()]
      await endSearch(db, searchUuid, { state: 'done', results, isCut })
    } catch (error) {
      if (signal.aborted) throw error
      const isLate = limit.aborted
      if (!isLate && !(error instanceof DimseError)) throw error
      const message = isLate || !(error instanceof DimseError) ? 'The peer did not answer in time' : error.message
      await endSearch(db, searchUuid, { state: 'failed', message })
    }
  },
  giveUp: async (tx, { searchUuid }, _work, { message }) => {
    await endSearch(tx, searchUuid, { state: 'failed', message })
    return undefined
  },
}
