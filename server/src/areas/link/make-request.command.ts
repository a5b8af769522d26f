import { randomBytes, randomUUID } from 'node:crypto'
import type { Caller, Membership } from '../../access/caller.ts'
import { digestOf } from '../../access/sid.ts'
import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { linkAddress } from './link.presenter.ts'
import { addRequest, type NewRequest } from './link.sql.ts'
import { type MadeLink, secretBytes } from './make-link.command.ts'

/** A request to make: whom it asks, for what, and the patient that it expects. */
interface RequestOptions
  extends Required<
      Pick<
        NewRequest,
        'passwordHash' | 'maxHits' | 'message' | 'email' | 'notify' | 'expected' | 'expectedExam' | 'maxBytes'
      >
    >,
    Pick<NewRequest, 'pinAuth'> {
  minutes: number
}

/**
 * Makes a request for studies, and puts that on record without the expected patient. Nothing is mailed.
 * @param address of the web app, with which the address of the link begins
 */
export async function makeRequest(
  tx: Tx,
  sealer: Sealer,
  { caller, places: [place], address }: { caller: Caller; places: readonly Membership[]; address: string },
  { minutes, ...values }: RequestOptions,
): Promise<MadeLink> {
  if (!place) return { kind: 'gone' }
  const uuid = randomUUID()
  const secret = randomBytes(secretBytes).toString('base64url')
  const expiresAt = new Date(Date.now() + minutes * 60_000)
  await addRequest(tx, {
    ...values,
    uuid,
    accountUuid: place.accountUuid,
    createdBy: caller.userUuid,
    expiresAt,
    namespaceUuid: place.namespaceUuid,
    secretDigest: digestOf(secret),
    sealedSecret: sealer.seal(secret, uuid),
  })
  await writeAudit(tx, {
    accountUuid: place.accountUuid,
    caller,
    action: 'CREATE',
    type: 'Link',
    objectUuid: place.namespaceUuid,
    phiNamespace: place.namespaceUuid,
    detail: {
      link: uuid,
      upload: 1,
      expires_at: expiresAt.toISOString(),
      max_hits: values.maxHits,
      factor: values.passwordHash ? 'password' : 'none',
      ...(values.pinAuth ? { pin: 1 } : {}),
      ...(values.email ? { email: values.email } : {}),
    },
  })
  return { kind: 'made', uuid, url: linkAddress(address, secret) }
}
