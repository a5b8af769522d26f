import type { identityEnd } from '@hilum/contract/calls/identity'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { deleteIdentity, isLinked, listOwnIdentities } from './identity.sql.ts'
import { findProvider } from './provider.sql.ts'

export const end: Handler<typeof identityEnd> = async ({ services, input, caller, fail }) => {
  const { userUuid } = caller
  const mine = (await listOwnIdentities(services.db, userUuid)).find((one) => one.provider === input.provider)
  if (!mine) throw fail('SSO_REFUSED', { subtype: 'NOT_MEMBER' })
  const provider = await findProvider(services.db, mine.provider)
  if (!provider || !(await isLinked(services.db, userUuid, provider.issuer))) throw fail('NOT_FOUND')
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  await services.db.transaction().execute(async (tx) => {
    await deleteIdentity(tx, userUuid, provider.issuer)
    await writeAudit(tx, {
      accountUuid: provider.account_uuid,
      caller,
      action: 'IDENTITY_UNLINKED',
      type: 'User',
      objectUuid: userUuid,
      detail: { provider: provider.button, issuer: provider.issuer },
    })
  })
  return {}
}
