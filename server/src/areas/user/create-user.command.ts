import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import type { Tx } from '../../db/database.ts'
import { addNamespace } from '../add-namespace.sql.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordFault } from './password-fault.ts'
import { addToPasswordHistory, listNamesOfAccount } from './password.sql.ts'
import { addAccountUser, addUser } from './user-write.sql.ts'

/** A login that no account has yet. */
interface NewLogin {
  /** The account that the person begins in. */
  accountUuid: string
  email: string
  first: string
  last: string
  /** Undefined for a person who chooses one by a link: until then no password opens anything. */
  password: string | undefined
  /** Login below the account's own host name. */
  login?: string
  /** The operator of the installation vouches for the address; whoever else types one proves nothing. */
  isAddressProven?: boolean
}
type NewUser = NewLogin & {
  /** The role in the account. */
  roleUuid: string
}
interface Made {
  userUuid: string
  namespaceUuid: string
}

/**
 * Makes a user with a personal namespace, as a member of one account.
 * @throws ApiError BAD_PASSWORD
 */
export async function createUser(tx: Tx, user: NewUser): Promise<Made> {
  return addWithHash(tx, user, await hashFirst(tx, user))
}

/**
 * Makes a user with a personal namespace who belongs to no account yet.
 * @throws ApiError BAD_PASSWORD
 */
export async function createLogin(tx: Tx, user: NewLogin): Promise<Made> {
  return addLogin(tx, user, await hashFirst(tx, user))
}

/** As `createUser`, of a password that was looked at and hashed before. */
export async function addWithHash(tx: Tx, user: Omit<NewUser, 'password'>, passwordHash: string): Promise<Made> {
  const { accountUuid, roleUuid } = user
  const made = await addLogin(tx, user, passwordHash)
  await addAccountUser(tx, { accountUuid, userUuid: made.userUuid, roleUuid, login: user.login ?? '' })
  return made
}

async function hashFirst(tx: Tx, user: NewLogin): Promise<string> {
  const { accountUuid, email, first, last, password } = user
  if (password === undefined) return hashPassword(randomBytes(32).toString('base64url'))
  const own = [first, last, `${first} ${last}`, email, user.login ?? '']
  const fault = findPasswordFault(password, [...own, ...(await listNamesOfAccount(tx, accountUuid))])
  if (fault) throw new ApiError('BAD_PASSWORD', { subtype: fault })
  return hashPassword(password)
}

async function addLogin(tx: Tx, user: Omit<NewLogin, 'password'>, passwordHash: string): Promise<Made> {
  const { accountUuid, email, first, last, isAddressProven = false } = user
  const userUuid = randomUUID()
  const namespaceUuid = randomUUID()
  await addUser(tx, { uuid: userUuid, email, first, last, passwordHash, namespaceUuid, isAddressProven })
  await addToPasswordHistory(tx, userUuid, passwordHash)
  const name = `${first} ${last}`.trim() || email
  await addNamespace(tx, { uuid: namespaceUuid, kind: 'user', ownerUuid: userUuid, accountUuid, name })
  return { userUuid, namespaceUuid }
}
