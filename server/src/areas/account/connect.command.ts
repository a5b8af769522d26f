import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import type { Caller } from '../../access/caller.ts'
import type { Database, Tx } from '../../db/database.ts'
import { asOutside, writeAudit } from '../audit/audit.sql.ts'
import { connectionMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import {
  type ConnectionRow,
  insertConnection,
  listReachablePeople,
  lockConnection,
  markConnected,
  markConnectionEnded,
} from './connection.sql.ts'

type ConnectionChange = 'asked' | 'connected' | 'ended'
const actions = { asked: 'CREATE', connected: 'CONNECT', ended: 'DELETE' } as const

/**
 * Asks another account for a connection, or accepts the one that it asked for.
 * @returns the connection, and whether this changed anything; undefined for one that ended at this very moment
 */
export function askToConnect(
  db: Database,
  caller: Caller,
  sides: { accountUuid: string; otherAccount: string; message: string; address: string },
): Promise<{ uuid: string; isChanged: boolean } | undefined> {
  const { accountUuid, otherAccount, message, address } = sides
  return db.transaction().execute(async (tx) => {
    const made = { uuid: randomUUID(), askingAccount: accountUuid, askedAccount: otherAccount }
    const isNew = await insertConnection(tx, { ...made, message, askedBy: caller.userUuid })
    const one = await lockConnection(tx, accountUuid, { otherAccount })
    if (!one) return undefined
    const isAccepted = !isNew && !one.is_connected && one.asking_account === otherAccount
    if (isNew) await tellOfConnection(tx, caller, one, 'asked', { toAccount: otherAccount, address })
    if (isAccepted) await acceptConnection(tx, caller, one, address)
    return { uuid: one.uuid, isChanged: isNew || isAccepted }
  })
}

/** Accepts a connection; the account that asked for it is told. */
export async function acceptConnection(tx: Tx, caller: Caller, one: ConnectionRow, address: string): Promise<void> {
  await markConnected(tx, one.uuid)
  await tellOfConnection(tx, caller, one, 'connected', { toAccount: one.asking_account, address })
}

/** Ends a connection in whatever state. The other account is told of the end of one that it had agreed to or asked for. */
export async function endConnection(
  tx: Tx,
  caller: Caller,
  one: ConnectionRow,
  by: { accountUuid: string; address: string },
): Promise<void> {
  await markConnectionEnded(tx, one.uuid)
  const toAccount = one.asking_account === by.accountUuid ? one.asked_account : one.asking_account
  await tellOfConnection(tx, caller, one, 'ended', { toAccount, address: by.address })
}

/** Puts an act on record in both accounts, and mails the administrators of one; the mails name nobody. */
async function tellOfConnection(
  tx: Tx,
  caller: Caller,
  one: ConnectionRow,
  change: ConnectionChange,
  to: { toAccount: string; address: string },
): Promise<void> {
  const sides = [
    { accountUuid: one.asking_account, other: one.asked_name },
    { accountUuid: one.asked_account, other: one.asking_name },
  ]
  for (const { accountUuid, other } of sides) {
    await writeAudit(tx, {
      accountUuid,
      caller: accountUuid === to.toAccount ? asOutside(caller) : caller,
      action: actions[change],
      type: 'Account_connection',
      objectUuid: one.uuid,
      detail: { with: other },
    })
  }
  for (const { email: recipient, permissions } of await listReachablePeople(tx, to.toAccount)) {
    if (!mayDo('administerAccount', { permissions: new Set(permissions) })) continue
    const mail = { uuid: randomUUID(), accountUuid: to.toAccount, recipient }
    await insertMail(tx, { ...mail, ...connectionMail(change, to.address) })
  }
}
