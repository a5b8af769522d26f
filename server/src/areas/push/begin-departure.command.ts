import type { Database, Tx } from '../../db/database.ts'
import { findFormerAs, isDepartingAs, noteDeparture, takeTurnToDepart } from '../altered/departure.sql.ts'

interface Departing {
  record: { account_uuid: string; phi_namespace: string; uuid: string; study_uid: string }
  destinationUuid: string
  /** Digest of the patient and accession number that the exam leaves under. */
  sentAs: Buffer
  /** The digest of what had left there when the destination was asked. */
  formerAs: Buffer | null
}

/**
 * Notes that images of an exam leave for a destination by C-MOVE or C-GET, before the first; false where images of it have
 * left or leave under another patient since the destination was asked, from whichever record and by whichever door.
 */
export function beginDeparture(db: Database, departing: Departing): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { record, destinationUuid, sentAs } = departing
    await takeTurnToDepart(tx, record, destinationUuid)
    if (await isDepartingAs(tx, record, destinationUuid, sentAs)) return false
    if (await hasLeftOtherwise(tx, departing)) return false
    await noteDeparture(tx, record, destinationUuid, sentAs)
    return true
  })
}

/** The same question of a push that is under way, whose state tells the other doors; it notes what was taken. */
export function mayBeginPush(db: Database, departing: Departing): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await takeTurnToDepart(tx, departing.record, departing.destinationUuid)
    return !(await hasLeftOtherwise(tx, departing))
  })
}

async function hasLeftOtherwise(tx: Tx, { record, destinationUuid, sentAs, formerAs }: Departing): Promise<boolean> {
  const now = await findFormerAs(tx, record, destinationUuid)
  return now !== null && !now.equals(sentAs) && !(formerAs !== null && now.equals(formerAs))
}
