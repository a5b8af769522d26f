import { randomUUID } from 'node:crypto'
import { roleTemplates } from '@hilum/contract/roles'
import type { Tx } from '../../db/database.ts'
import { addNamespace } from '../add-namespace.sql.ts'
import { putSetting } from '../setting/setting.sql.ts'
import { addAccount, addRole, updateDefaultRole } from './account-write.sql.ts'

interface NewAccount {
  name: string
  /** Host names under which its people sign in, comma-separated. */
  vanity?: string
  /** Assigning authority of its MRNs; without one it is made from the name. */
  issuer?: string
  settings?: Readonly<Record<string, string>>
  /** Made up from end to end, so that its outbox may show links. */
  isDemo?: boolean
}
export interface CreatedAccount {
  accountUuid: string
  namespaceUuid: string
  /** Uuids of the roles that every account starts with, by name. */
  roles: ReadonlyMap<string, string>
}

/** Makes an account with its namespace and the roles that every account starts with; new members are clinicians. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<CreatedAccount> {
  const accountUuid = randomUUID()
  const namespaceUuid = randomUUID()
  await addAccount(tx, {
    uuid: accountUuid,
    name: account.name,
    vanity: account.vanity ?? '',
    namespaceUuid,
    issuer: account.issuer ?? issuerOf(account.name),
    isDemo: account.isDemo ?? false,
  })
  await addNamespace(tx, {
    uuid: namespaceUuid,
    kind: 'account',
    ownerUuid: accountUuid,
    accountUuid,
    name: account.name,
  })
  const roles = new Map<string, string>()
  for (const { name, type, holds } of roleTemplates) {
    const uuid = randomUUID()
    await addRole(tx, { uuid, accountUuid, name, type, permissions: holds })
    roles.set(name, uuid)
    if (type === 'user') await updateDefaultRole(tx, accountUuid, uuid)
  }
  for (const [key, value] of Object.entries(account.settings ?? {})) {
    await putSetting(tx, 'account', accountUuid, key, value)
  }
  return { accountUuid, namespaceUuid, roles }
}

/** Capitals, digits and underscores, as HL7 senders write their authorities (CX.4). */
function issuerOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '')
  return (
    plain
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 20) || 'LOCAL'
  )
}
