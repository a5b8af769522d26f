import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Permission } from '@hilum/contract/permissions'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { digestOf, newSid } from '../src/access/sid.ts'
import type { Database } from '../src/db/database.ts'
import { dicomwebRoutes } from '../src/inbound/dicomweb/routes.ts'
import { guardReplies } from '../src/inbound/http/guard-replies.ts'
import { storageRoutes } from '../src/inbound/storage/routes.ts'
import { openTestServices, type TestServices } from './test-services.ts'

export type StorageFixture = TestServices & {
  db: Database
  /** `http://127.0.0.1:port/api/v3/storage` */
  base: string
  /** An account with one user and one group, in which the user may do what `permissions` says. */
  addMember: (permissions: readonly Permission[]) => Promise<Member>
}
export type Member = { sid: string; namespace: string; account: string; user: string }

/** A storage server with its own database and store, on a free port. Call it at the top of a test file. */
export async function startStorage(): Promise<StorageFixture> {
  const opened = await openTestServices()
  const { services } = opened
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 400 },
  })
  afterAll(() => app.close())
  guardReplies(app as unknown as FastifyInstance)
  await app.register(async (scope) => storageRoutes(scope, services))
  await app.register(async (scope) => dicomwebRoutes(scope, services))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    ...opened,
    db: services.db,
    base: `http://127.0.0.1:${port}/api/v3/storage`,
    addMember: (permissions) => addMember(services.db, permissions),
  }
}

/** An account with one user and one group. */
export async function addMember(db: Database, permissions: readonly Permission[]): Promise<Member> {
  const [account, accountNamespace, role, user, userNamespace, group, namespace] = Array.from({ length: 7 }, () =>
    randomUUID(),
  )
  const sid = newSid()
  await sql`
    with made_account as (
      insert into account (uuid, name, namespace_uuid, issuer)
      values (${account}, ${account}, ${accountNamespace}, 'TEST')
    ), made_namespace as (
      insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
      values (${accountNamespace}::uuid, 'account', ${account}::uuid, ${account}::uuid, 'account'),
        (${userNamespace}::uuid, 'user', ${user}::uuid, ${account}::uuid, 'user'),
        (${namespace}::uuid, 'group', ${group}::uuid, ${account}::uuid, 'group')
    ), made_role as (
      insert into role (uuid, account_uuid, name, permissions)
      values (${role}, ${account}, 'Member', ${permissions as string[]})
    ), made_user as (
      insert into app_user (uuid, email, email_folded, password_hash, namespace_uuid)
      values (${user}, ${`${user}@example.org`}, ${`${user}@example.org`}, 'none', ${userNamespace})
    ), made_account_user as (
      insert into account_user (account_uuid, user_uuid, role_uuid)
      values (${account}, ${user}, ${role})
    ), made_group as (
      insert into app_group (uuid, account_uuid, name, namespace_uuid, designation)
      values (${group}, ${account}, 'Group', ${namespace}, 'CLOUD')
    ), made_group_user as (
      insert into group_user (group_uuid, user_uuid, role_uuid)
      values (${group}, ${user}, ${role})
    )
    insert into session (uuid, sid_digest, user_uuid, idle_minutes, expires_at)
    values (${randomUUID()}, ${digestOf(sid)}, ${user}, 60, now() + interval '1 hour')
  `.execute(db)
  return { sid, namespace: namespace as string, account: account as string, user: user as string }
}
