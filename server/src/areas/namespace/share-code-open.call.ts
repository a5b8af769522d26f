import type { namespaceShareCodeOpen } from '@hilum/contract/calls/namespace'
import { megabyte } from '@hilum/contract/limits'
import { readShareSettings, uploadsByKey } from '@hilum/contract/share-settings'
import { uuidForm } from '@hilum/contract/wire'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { findUploadMegabytes } from '../link/link-limits.command.ts'
import { openShareCode } from '../link/open-share-code.command.ts'
import { perShareAddress, perShareOpen } from '../session/attempt-rules.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { findSharePlace } from './namespace.sql.ts'

/** A code that lets nobody upload is answered like one that is none. */
export const open: Handler<typeof namespaceShareCodeOpen> = async ({ services, input, origin, fail }) => {
  const { db } = services
  const byAddress = digestOf(addressKey(origin.clientAddress))
  if (!(await mayAttempt(db, 'share-code-address', byAddress, perShareAddress))) throw fail('LOCKOUT')
  const code = input.share_code.trim()
  const place = code ? await findSharePlace(db, { shareCode: code }) : undefined
  const { takesUploads, mustApprove, megabytes } = readShareSettings(place?.share_settings)
  const by = place?.share_settings[uploadsByKey]
  const isPlace = place?.kind === 'group' || place?.kind === 'location'
  if (!isPlace || !takesUploads || typeof by !== 'string' || !uuidForm.test(by)) {
    throw fail('NOT_FOUND')
  }
  await giveBackAttempt(db, 'share-code-address', byAddress)
  // each opening makes a request, of which nobody can make thousands
  if (!(await mayAttempt(db, 'share-code-opened', byAddress, perShareOpen))) throw fail('LOCKOUT')
  const maxBytes = (megabytes ?? (await findUploadMegabytes(db, place.account_uuid))) * megabyte
  const opened = await openShareCode(
    db,
    { namespaceUuid: place.namespace_uuid, accountUuid: place.account_uuid, createdBy: by, mustApprove, maxBytes },
    { clientAddress: origin.clientAddress, userAgent: origin.userAgent ?? '' },
  )
  if (!opened) throw fail('NOT_FOUND')
  return { sid: opened.sid, action: 'STUDY_UPLOAD' as const, expires_at: opened.expires }
}
