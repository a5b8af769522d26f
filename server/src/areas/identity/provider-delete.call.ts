import type { identityProviderDelete } from '@hilum/contract/calls/identity'
import { lockAccounts } from '../account/member.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { endSessionsByProvider } from '../session/ended-sign-in.sql.ts'
import { noteEndedSessions } from '../session/note-ended.command.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { demandAboveAll } from './demand-above-all.ts'
import { deleteProvider, findProviderOf } from './provider.sql.ts'

export const providerDelete: Handler<typeof identityProviderDelete> = async ({ services, caller, on, fail }) => {
  const row = await findProviderOf(services.db, on.ownerUuid)
  if (!row) throw fail('NOT_FOUND')
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  await services.db.transaction().execute(async (tx) => {
    await lockAccounts(tx, [on.ownerUuid])
    await demandAboveAll(tx, on)
    const ended = await endSessionsByProvider(tx, row.uuid, { exceptSession: caller.sessionUuid })
    await deleteProvider(tx, row.uuid)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'DELETE',
      type: 'Identity_provider',
      objectUuid: row.uuid,
      detail: { button: row.button, issuer: row.issuer },
    })
    await noteEndedSessions(tx, { accountUuid: on.ownerUuid, caller, because: 'DELETED' }, ended)
  })
  return {}
}
