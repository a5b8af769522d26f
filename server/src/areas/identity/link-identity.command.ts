import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { noteProof, type PinSession } from '../session/pin-session.sql.ts'
import { findTwoFactorState } from '../session/two-factor.sql.ts'
import { demandSameProvider } from './demand-same-provider.ts'
import { isLinked, lockKnownIdentity, lockPersonHere, putIdentity } from './identity.sql.ts'
import type { ProviderRow } from './provider.sql.ts'
import type { Said } from './read-claims.ts'
import { isProvenTwice } from './sign-in-by-provider.command.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

type At = { clientAddress: string }
type Use = { session: PinSession; provider: ProviderRow; said: Said }

/** Connects the person of an open session with an identity. @throws SignInRefusal */
export async function linkIdentity({ db }: Pick<Services, 'db'>, at: At, { session, provider, said }: Use) {
  const { user_uuid: userUuid } = session
  const { issuer, subject, email } = said
  await db.transaction().execute(async (tx) => {
    await demandSameProvider(tx, provider)
    const accountUuid = provider.account_uuid
    const here = await lockPersonHere(tx, { accountUuid, userUuid, issuer })
    if (!here || here.disabled) throw new SignInRefusal('NOT_MEMBER', '', userUuid)
    const known = await lockKnownIdentity(tx, accountUuid, said)
    const isOthers = known !== undefined && known.user_uuid !== userUuid
    // one identity for each person and issuer: with the old one somebody else could still come in
    const isSecond = known === undefined && (await isLinked(tx, userUuid, issuer))
    if (isOthers || isSecond) throw new SignInRefusal('LINKED_ELSEWHERE', '', userUuid)
    if (!(await putIdentity(tx, { issuer, subject, userUuid, email, isByPerson: true })))
      throw new SignInRefusal('LINKED_ELSEWHERE', '', userUuid)
    await writeAudit(tx, {
      accountUuid,
      caller: { userUuid, name: session.user_name, clientAddress: at.clientAddress },
      action: 'IDENTITY_LINKED',
      type: 'User',
      objectUuid: userUuid,
      detail: { provider: provider.button, issuer, email },
    })
  })
}

/** Notes that the person of a session has just signed in at the provider. @throws SignInRefusal */
export async function proveByIdentity({ db }: Pick<Services, 'db'>, _at: At, { session, provider, said }: Use) {
  await db.transaction().execute(async (tx) => {
    await demandSameProvider(tx, provider)
    const known = await lockKnownIdentity(tx, provider.account_uuid, said)
    if (known?.user_uuid !== session.user_uuid) throw new SignInRefusal('OTHER_PERSON', '', session.user_uuid)
    // with a second factor a code of it is the proof, as for session/prove
    const { is_on: hasSecond } = await findTwoFactorState(tx, session.user_uuid)
    if (hasSecond && !(await isProvenTwice(tx, provider, said, session.user_uuid)))
      throw new SignInRefusal('SECOND_FACTOR', '', session.user_uuid)
    await noteProof(tx, session.uuid)
  })
}
