import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '@hilum/contract/permissions'
import { createRenderPool } from '@hilum/dicom/render/pool'
import Fastify, { LogController } from 'fastify'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { digestOf, newSid } from '../src/access/sid.ts'
import { openEventFeed } from '../src/areas/event/event-feed.ts'
import { createJobFeed } from '../src/areas/event/job-feed.ts'
import { readConfig } from '../src/config.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { dicomwebRoutes } from '../src/inbound/dicomweb/routes.ts'
import { storageRoutes } from '../src/inbound/storage/routes.ts'
import { openLog } from '../src/log.ts'
import { openJobQueue } from '../src/outbound/queue/job-queue.ts'
import { createFileStore } from '../src/outbound/storage/file-store.ts'
import type { Services } from '../src/services.ts'
import { freshDatabase } from './fresh-database.ts'

export type StorageFixture = {
  services: Services
  db: Database
  /** `http://127.0.0.1:port/api/v3/storage` */
  base: string
  folder: string
  /** Address of the database. */
  url: string
  /** An account with one user and one group, in which the user may do what `permissions` says. */
  addMember: (permissions: readonly Permission[]) => Promise<Member>
  query: <Row>(statement: string) => Promise<Row[]>
}
export type Member = { sid: string; namespace: string; account: string; user: string }

/** A storage server with its own database and store, on a free port. Call it at the top of a test file. */
export async function startStorage(): Promise<StorageFixture> {
  const { url } = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'hilum-storage-'))
  const { db, pool } = openDatabase({ connectionString: url })
  const log = openLog('silent')
  const services: Services = {
    config: readConfig({ HILUM_DATA: folder }),
    db,
    store: createFileStore(join(folder, 'objects')),
    render: createRenderPool({ size: 1 }),
    log,
    events: await openEventFeed(db, pool, log),
    jobs: createJobFeed(),
    queue: await openJobQueue(db, log),
  }
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 400 },
  })
  await app.register(async (scope) => storageRoutes(scope, services))
  await app.register(async (scope) => dicomwebRoutes(scope, services))
  await app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(async () => {
    await app.close()
    await services.render.close()
    await services.queue.close()
    await services.events.close()
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  const { port } = app.server.address() as AddressInfo
  return {
    services,
    db,
    folder,
    url,
    base: `http://127.0.0.1:${port}/api/v3/storage`,
    addMember: (permissions) => addMember(db, permissions),
    query: async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(db)).rows,
  }
}

async function addMember(db: Database, permissions: readonly Permission[]): Promise<Member> {
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
      insert into app_user (uuid, email, password_hash, namespace_uuid)
      values (${user}, ${`${user}@example.org`}, 'none', ${userNamespace})
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
