import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import type { Tx } from '../../db/database.ts'
import { addNamespace } from '../add-namespace.sql.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordFault } from './password-fault.ts'
import { addToPasswordHistory, listNamesOfAccount } from './password.sql.ts'
import { addAccountUser, addUser } from './user-write.sql.ts'

interface NewUser {
  accountUuid: string
  /** The role in the account. */
  roleUuid: string
  email: string
  first: string
  last: string
  /** Undefined for a person who chooses one by a link: until then no password opens anything. */
  password: string | undefined
  /** Login below the account's own host name. */
  login?: string
}

/**
 * Makes a user with a personal namespace, as a member of one account.
 * @throws ApiError BAD_PASSWORD
 */
export async function createUser(tx: Tx, user: NewUser): Promise<{ userUuid: string; namespaceUuid: string }> {
  const { accountUuid, email, first, last, password } = user
  const names = [
    first,
    last,
    `${first} ${last}`,
    email,
    user.login ?? '',
    ...(await listNamesOfAccount(tx, accountUuid)),
  ]
  const fault = password === undefined ? undefined : findPasswordFault(password, names)
  if (fault) throw new ApiError('BAD_PASSWORD', { subtype: fault })
  return addWithHash(tx, user, await hashPassword(password ?? randomBytes(32).toString('base64url')))
}

/** As `createUser`, of a password that was looked at and hashed before. */
export async function addWithHash(
  tx: Tx,
  user: Omit<NewUser, 'password'>,
  passwordHash: string,
): Promise<{ userUuid: string; namespaceUuid: string }> {
  const { accountUuid, roleUuid, email, first, last } = user
  const userUuid = randomUUID()
  const namespaceUuid = randomUUID()
  await addUser(tx, { uuid: userUuid, email, first, last, passwordHash, namespaceUuid })
  await addToPasswordHistory(tx, userUuid, passwordHash)
  const name = `${first} ${last}`.trim() || email
  await addNamespace(tx, { uuid: namespaceUuid, kind: 'user', ownerUuid: userUuid, accountUuid, name })
  await addAccountUser(tx, { accountUuid, userUuid, roleUuid, login: user.login ?? '' })
  return { userUuid, namespaceUuid }
}
