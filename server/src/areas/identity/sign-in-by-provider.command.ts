import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { Origin } from '../handler.ts'
import { addWaitingSession, openSession, sessionLifeMinutes } from '../session/open-session.command.ts'
import type { WaitsFor } from '../session/pin-session.sql.ts'
import { lockPerson } from '../session/sign-in.sql.ts'
import { findTwoFactorState } from '../session/two-factor.sql.ts'
import { choosePerson } from './choose-person.command.ts'
import { isPinRequiredElsewhere } from './identity.sql.ts'
import type { ProviderRow } from './provider.sql.ts'
import type { Said } from './read-claims.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

interface SignedInByProvider {
  sid: string
  sessionUuid: string
  userUuid: string
  /** The proof that is missing before the session opens anything. */
  waitsFor: WaitsFor | undefined
}

/**
 * Opens a session for the person of an identity.
 * @throws SignInRefusal; what the provider's word took away stays taken away
 */
export async function signInByProvider(
  { db }: Pick<Services, 'db'>,
  origin: Origin,
  provider: ProviderRow,
  said: Said,
): Promise<SignedInByProvider> {
  const outcome = await db.transaction().execute(async (tx) => {
    const chosen = await choosePerson(tx, provider, said)
    return chosen.kind === 'refused' ? chosen : open(tx, origin, provider, said, chosen.userUuid)
  })
  if ('fault' in outcome) throw new SignInRefusal(outcome.fault, '', outcome.userUuid)
  return outcome
}

async function open(
  tx: Tx,
  origin: Origin,
  provider: ProviderRow,
  said: Said,
  userUuid: string,
): Promise<SignedInByProvider> {
  const user = await lockPerson(tx, userUuid)
  if (!user) throw new SignInRefusal('DISABLED')
  const isStrong = await isProvenTwice(tx, provider, said, userUuid)
  const how = {
    method: 'sso',
    lifeMinutes: sessionLifeMinutes,
    clientAddress: origin.clientAddress,
    userAgent: origin.userAgent ?? '',
    strength: isStrong ? 'two factors' : 'one factor',
    providerUuid: provider.uuid,
    providerProof: said.proof,
  } as const
  const waitsFor = isStrong ? undefined : await findWait(tx, userUuid)
  // a session at the provider that was open already proves nothing of now; one that waits gets its proof by the wait
  const provenAt = Math.min(said.proof.auth_time ?? 0, Date.now() / 1000)
  const opened = waitsFor
    ? await addWaitingSession(tx, user, how, { waitsFor })
    : await openSession(tx, user, { ...how, provenAt }, { provider: provider.button, ...said.proof })
  return { ...opened, userUuid, waitsFor }
}

/** Two factors at the provider are two here where its account trusts it, and no other account asks for one of ours. */
export async function isProvenTwice(db: Db, provider: ProviderRow, said: Said, userUuid: string): Promise<boolean> {
  if (!provider.trusts_second_factor || !said.hasTwoFactors) return false
  return !(await isPinRequiredElsewhere(db, userUuid, provider.account_uuid))
}

async function findWait(db: Db, userUuid: string): Promise<WaitsFor | undefined> {
  const { is_on: isOn, is_required: isRequired } = await findTwoFactorState(db, userUuid)
  if (isOn) return 'pin'
  return isRequired ? 'setup' : undefined
}
