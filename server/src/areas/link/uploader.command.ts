import type { LinkCaller } from '../../access/caller.ts'
import { findCaller } from '../../access/find-caller.ts'
import type { Services } from '../../services.ts'
import { findOpenRequest, type OpenRequest } from './link-upload.sql.ts'

/** Somebody who opened a request, with the request as it is at this moment. */
interface Uploader {
  asker: LinkCaller
  request: OpenRequest
}

/**
 * The uploader behind the sid of a request's session; undefined for any other sid. Nothing else opens anything to such
 * a session: the session has no place and sees no study, so that every other call and door refuses it.
 */
export async function findUploader(
  { db, log }: Pick<Services, 'db' | 'log'>,
  sid: string | undefined,
  clientAddress: string,
): Promise<Uploader | undefined> {
  const asker = sid ? await findCaller(db, sid, clientAddress, { log }) : undefined
  if (asker?.kind !== 'link') return undefined
  const request = await findOpenRequest(db, asker.linkUuid)
  return request && { asker, request }
}
