import type { AuditAct } from '@hilum/contract/audit-acts'
import { randomBytes } from 'node:crypto'
import { passwordResetMinutes } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import type { Database, Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFlags } from '../system/change-flags.command.ts'
import { wipeSecretsFor } from '../mail/mail.sql.ts'
import { takeExamsAlong } from '../storage/take-along.command.ts'
import { endSessionsOfUser } from '../session/end-sessions.sql.ts'
import { forgetDevices } from '../session/remembered-device.sql.ts'
import { deleteTwoFactor } from '../session/two-factor.sql.ts'
import { createUser } from './create-user.command.ts'
import { endAccess } from './end-access.command.ts'
import { type AdministratorPlace, endSsoOnly, type OperatorUser, putAccountUser, setDisabled } from './operator.sql.ts'
import { addResetToken, useUpResetTokens } from './password-reset.sql.ts'
import { loosenIdentities } from './user-write.sql.ts'

/** Acts of the operator, who has the machine and no session. Each is on record, with the name of the machine's user. */
export interface Operator {
  db: Database
  machineUser: string
}

type Person = Pick<OperatorUser, 'uuid' | 'account_uuid'>

/** @returns the token of a link that works once, for an hour; links made before end */
export async function makeResetToken({ db, machineUser }: Operator, person: OperatorUser): Promise<string> {
  const token = newToken()
  await db.transaction().execute(async (tx) => {
    await useUpResetTokens(tx, person.uuid)
    await wipeSecretsFor(tx, person.uuid)
    await addResetToken(tx, person, digestOf(token), passwordResetMinutes)
    await writeOperatorAudit(tx, machineUser, person, 'PASSWORD_LOST')
  })
  return token
}

export async function endAllSessions({ db, machineUser }: Operator, person: Person): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await endSessionsOfUser(tx, person.uuid)
    await forgetDevices(tx, person.uuid)
    await writeOperatorAudit(tx, machineUser, person, 'SESSIONS_ENDED')
  })
}

/** Takes the second factor off a person who has lost it, and signs that person out. False when there was none. */
export async function resetTwoFactor({ db, machineUser }: Operator, person: Person): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await deleteTwoFactor(tx, person.uuid))) return false
    await endSessionsOfUser(tx, person.uuid)
    await writeOperatorAudit(tx, machineUser, person, 'TWO_FACTOR_RESET')
    return true
  })
}

/**
 * Lets a person sign in, or no more; who may not is signed out and holds no link that works. The last administrator is
 * kept out too, since a stolen login must be ended at once.
 */
export async function changeDisabled(
  { db, machineUser }: Operator,
  person: Person,
  isDisabled: boolean,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await setDisabled(tx, person.uuid, isDisabled)
    await takeExamsAlong(tx, undefined, [person.uuid])
    if (isDisabled) await endAccess(tx, person.uuid)
    await writeOperatorAudit(tx, machineUser, person, isDisabled ? 'DISABLE' : 'ENABLE')
  })
}

/** Makes a new person, or one who is there, an administrator of an account. A new one chooses a password by a link. */
export async function addAdministrator(
  { db, machineUser }: Operator,
  place: AdministratorPlace,
  person: { known: OperatorUser | undefined; email: string; first: string; last: string },
): Promise<Person> {
  const { account_uuid: accountUuid, role_uuid: roleUuid } = place
  const { known, email, first, last } = person
  return db.transaction().execute(async (tx) => {
    const made =
      known?.uuid ?? (await createUser(tx, { accountUuid, roleUuid, email, first, last, password: undefined })).userUuid
    await loosenIdentities(tx, accountUuid, made)
    await putAccountUser(tx, accountUuid, made, roleUuid)
    await takeExamsAlong(tx, undefined, [made])
    const added = { uuid: made, account_uuid: accountUuid }
    await writeOperatorAudit(tx, machineUser, added, known ? 'ROLE_CHANGE' : 'ADD', { role_uuid: roleUuid })
    return added
  })
}

/** Gives a person flags of the system, or takes them back. */
export async function putFlags(
  { db, machineUser }: Operator,
  person: Pick<OperatorUser, 'email'>,
  flags: { sysadmin?: boolean; support?: boolean },
): Promise<void> {
  const by = { caller: undefined, detail: { by: 'operator', machine_user: machineUser } }
  await db.transaction().execute((tx) => changeFlags(tx, person.email, flags, by))
}

/** Lets the people of an account sign in by password beside its provider of identities. False when they may already. */
export async function allowPasswords({ db, machineUser }: Operator, accountUuid: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const provider = await endSsoOnly(tx, accountUuid)
    if (!provider) return false
    await writeAudit(tx, {
      accountUuid,
      caller: undefined,
      action: 'EDIT',
      type: 'Identity_provider',
      objectUuid: provider,
      detail: { sso_only: [1, 0], by: 'operator', machine_user: machineUser },
    })
    return true
  })
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function writeOperatorAudit(
  tx: Tx,
  machineUser: string,
  person: Person,
  action: AuditAct,
  detail: Record<string, unknown> = {},
): Promise<void> {
  return writeAudit(tx, {
    accountUuid: person.account_uuid,
    caller: undefined,
    action,
    type: 'User',
    objectUuid: person.uuid,
    detail: { ...detail, by: 'operator', machine_user: machineUser },
  })
}
