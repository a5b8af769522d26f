import { actorOf } from './caller.ts'
import { StorageError } from '@hilum/contract/storage-errors'
import Fastify, { type FastifyInstance, type HTTPMethods } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { startAccess } from '../../test/access-fixture.ts'
import { makeStudy } from '../../test/make-organisation.ts'
import type { AccessWatch, WatchedDoor } from './access-watch.ts'
import type { Services } from '../services.ts'
import { openDicomwebStudy } from './dicomweb-access.ts'
import { knowReplies } from './door-of-request.ts'
import { sidCookie } from './sid-of-request.ts'
import { authorise, openNamespace, openStudy } from './storage-access.ts'

const { services, callerOf, makePlace, run } = await startAccess()

/** Doors that were opened, each asked while its request is answered. */
const doors: WatchedDoor[] = []
const access = {
  open: (door: WatchedDoor) => {
    doors.push(door)
    return () => undefined
  },
} as unknown as AccessWatch

/** Asks for a study, or with PUT to write into the namespace; `meanwhile` happens before the answer. */
async function ask(
  method: HTTPMethods,
  sent: {
    sid?: string
    cookie?: string
    study?: [namespace: string, uid: string]
    byDicomweb?: boolean
    with?: Partial<Services>
    meanwhile?: () => unknown
  },
) {
  const own: Services = Object.assign(sent.with ?? {}, { ...services, access, ...sent.with })
  const app = Fastify() as unknown as FastifyInstance
  afterAll(() => app.close())
  knowReplies(app)
  let stillMay: boolean | undefined
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT'],
    url: '/',
    handler: async (request, reply) => {
      try {
        const caller = await authorise(own, request)
        const [storageNamespace = '', studyUid = ''] = sent.study ?? []
        if (sent.study && method === 'PUT') await openNamespace(caller, storageNamespace, 'uploadStudy')
        else if (sent.byDicomweb) await openDicomwebStudy(own, caller, storageNamespace, studyUid)
        else if (sent.study) await openStudy(own, caller, { storageNamespace, studyUid })
        await sent.meanwhile?.()
        stillMay = await doors.at(-1)?.stillMay?.(await callerOf({ sid: sent.sid ?? '' }).catch(() => caller))
        return actorOf(caller)
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        return reply.code(error.httpStatus).send(`${error.code} ${error.message}`)
      }
    },
  })
  const query: Record<string, string> = sent.sid ? { sid: sent.sid } : {}
  const headers: Record<string, string> = sent.cookie ? { cookie: `${sidCookie}=${sent.cookie}` } : {}
  const { statusCode, body } = await app.inject({ method: method as 'GET', url: '/', query, headers })
  return { status: statusCode, body, stillMay }
}

describe('a request of storage or DICOMweb', () => {
  it('is answered to a live session, and opens a door that ends with it', async () => {
    const { person } = await makePlace()
    doors.length = 0
    expect(await ask('GET', { sid: person.sid })).toMatchObject({ status: 200, body: person.userUuid, stillMay: true })
    expect(doors.map(({ caller }) => caller && actorOf(caller))).toEqual([person.userUuid])
    for (const sid of ['nonsense', undefined]) {
      expect(await ask('GET', sid ? { sid } : {})).toMatchObject({
        status: 403,
        body: expect.stringMatching(/^ACCESS_DENIED/),
      })
    }
    expect(doors).toHaveLength(1)
  })

  it('takes a cookie for reading only', async () => {
    const { person } = await makePlace()
    expect((await ask('GET', { cookie: person.sid })).status).toBe(200)
    expect((await ask('HEAD', { cookie: person.sid })).status).toBe(200)
    expect((await ask('POST', { cookie: person.sid })).status).toBe(403)
    expect((await ask('POST', { sid: person.sid })).status).toBe(200)
  })

  it('of a derived session only reads, and says so', async () => {
    const { person, place } = await makePlace()
    const { uuid } = await makeStudy(services.db, place)
    await run(`update session set studies = array['${uuid}']::uuid[] where user_uuid = '${person.userUuid}'`)
    expect((await ask('GET', { sid: person.sid })).status).toBe(200)
    expect((await ask('HEAD', { sid: person.sid })).status).toBe(200)
    expect(await ask('POST', { sid: person.sid })).toMatchObject({
      status: 403,
      body: 'FORBIDDEN This session may only read',
    })
  })

  it.each(['GET', 'PUT'] as const)('by %s ends when the right to what it opened does', async (method) => {
    const { person, group, place } = await makePlace()
    const { study_uid } = await makeStudy(services.db, place)
    const study: [string, string] = [place.namespaceUuid, study_uid]
    expect(await ask(method, { sid: person.sid, study })).toMatchObject({ status: 200, stillMay: true })
    const meanwhile = () => run(`delete from group_user where group_uuid = '${group.groupUuid}'`)
    expect(await ask(method, { sid: person.sid, study, meanwhile })).toMatchObject({ status: 200, stillMay: false })
  })

  it('of DICOMweb ends when the right to the study that it opened does, and with none opened goes on', async () => {
    const { person, group, place } = await makePlace()
    const { study_uid } = await makeStudy(services.db, place)
    const asking = { sid: person.sid, byDicomweb: true, study: [place.namespaceUuid, study_uid] as [string, string] }
    expect(await ask('GET', asking)).toMatchObject({ status: 200, stillMay: true })
    expect(await ask('GET', { ...asking, study: [place.namespaceUuid, '1.2'] })).toMatchObject({ stillMay: true })
    const meanwhile = () => run(`delete from group_user where group_uuid = '${group.groupUuid}'`)
    expect(await ask('GET', { ...asking, meanwhile })).toMatchObject({ status: 200, stillMay: false })
  })

  it('takes a database that fails while the right is asked again for no answer', async () => {
    const { person, place } = await makePlace()
    const { study_uid } = await makeStudy(services.db, place)
    const own: Partial<Services> = {}
    const meanwhile = () => Object.assign(own, { db: {} })
    const asking = {
      sid: person.sid,
      study: [place.namespaceUuid, study_uid] as [string, string],
      with: own,
      meanwhile,
    }
    expect(await ask('GET', asking)).toMatchObject({ status: 500, stillMay: undefined })
  })

  it('tells the operator of flags of fields that cannot be read', async () => {
    const { organisation, person, place } = await makePlace()
    const { study_uid } = await makeStudy(services.db, place)
    const role = organisation.roles.get('Clinician')
    await run(
      `insert into setting (scope, scope_uuid, key, value) values ('role', '${role}', 'study_field_flags', 'hide!')`,
    )
    const told: unknown[] = []
    const log = { warn: (line: unknown) => told.push(line) } as unknown as Services['log']
    await ask('GET', { sid: person.sid, study: [place.namespaceUuid, study_uid], with: { log } })
    expect(told).toMatchObject([{ owner: role }])
  })
})
