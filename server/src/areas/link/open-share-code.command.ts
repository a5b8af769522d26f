import { randomBytes, randomUUID } from 'node:crypto'
import { uploadSessionMinutes } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import type { Database } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { addRequest } from './link.sql.ts'
import { secretBytes } from './make-link.command.ts'
import { openLinkSession } from './open-link-session.command.ts'

/** Expected of nobody: whoever knows a share code says who the patient is. */
const nobody = { patient_name: '', patient_birth_date: '', patient_sex: '', patientid: '' }

/**
 * Lets somebody who knows a share code upload: by a request of its own, which ends with its session. Nobody is given
 * the address of that link, so that the link opens once.
 */
export async function openShareCode(
  db: Database,
  place: { namespaceUuid: string; accountUuid: string; createdBy: string; mustApprove: boolean; maxBytes: number },
  from: { clientAddress: string; userAgent: string },
): Promise<{ sid: string; expires: string } | undefined> {
  const uuid = randomUUID()
  return db.transaction().execute(async (tx) => {
    await addRequest(tx, {
      uuid,
      accountUuid: place.accountUuid,
      createdBy: place.createdBy,
      namespaceUuid: place.namespaceUuid,
      expiresAt: new Date(Date.now() + uploadSessionMinutes * 60_000),
      secretDigest: digestOf(randomBytes(secretBytes).toString('base64url')),
      sealedSecret: null,
      maxHits: 1,
      expected: nobody,
      maxBytes: place.maxBytes,
      byShareCode: { mustApprove: place.mustApprove },
    })
    await writeAudit(tx, {
      accountUuid: place.accountUuid,
      caller: { kind: 'link', linkUuid: uuid, name: 'Share code', clientAddress: from.clientAddress },
      action: 'CREATE',
      type: 'Link',
      objectUuid: place.namespaceUuid,
      phiNamespace: place.namespaceUuid,
      detail: { link: uuid, upload: 1, share_code: 1 },
    })
    return openLinkSession(tx, uuid, from, 'STUDY_UPLOAD')
  })
}
