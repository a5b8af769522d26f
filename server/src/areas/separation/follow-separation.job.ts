import type { Services } from '../../services.ts'
import { TRANSFER_QUIET_SECONDS } from '../ingest/receive-image.command.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { storeMoved } from './moved-image.command.ts'
import { findNewUids } from './find-new-uids.command.ts'
import { findSeparation, listFollowing, listOriginals, noteFollowed } from './separation.sql.ts'

/**
 * Stores images anew in the study that others of theirs moved to, as if they arrived there. Run twice, what was stored
 * is met as the same.
 */
export async function followSeparation(
  services: Services,
  { separationUuid }: PayloadOf<'followSeparation'>,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const one = await findSeparation(services.db, separationUuid)
  if (!one || one.state !== 'made') return
  const renamed = await findNewUids(services, one, await listOriginals(services.db, one.uuid))
  for (const image of await listFollowing(services.db, one.uuid)) {
    signal.throwIfAborted()
    const version = await storeMoved(services, one, image, renamed, {
      namespaceUuid: one.phi_namespace,
      accountUuid: one.account_uuid,
      source: 'upload',
      quietSeconds: TRANSFER_QUIET_SECONDS,
      expectedStudyUid: one.to_study_uid,
      actor: one.user_uuid,
    })
    await noteFollowed(services.db, one.uuid, image.seq, version)
  }
}
