import { mayDo } from '@hilum/contract/acts'
import type { PermissionSet } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import { commonErrorsOf, type Route, type SessionSubject } from '@hilum/contract/route'
import { routes } from '@hilum/contract/routes/all-routes'
import { storageBase } from '@hilum/contract/routes/storage-parameters'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { type DoorTarget, requestOf } from '../../../test/door-samples.ts'
import { askDoor, type DoorAnswer, makeDoorTarget } from '../../../test/door-target.ts'
import { makeLink, makeRequest, openLink } from '../../../test/make-link.ts'
import { makeOrganisation, makeSession } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every declared route that needs a session, of the storage API and of DICOMweb, asked by roles of a new account: whether
 * the route answers is computed from its declaration and the tables of acts and roles; what it puts on record and which errors it
 * gives are those that it declares.
 */

const { app, call, services, query } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const people = await Promise.all(
  roleTemplates
    .filter(({ name }) => name !== 'Clinician')
    .map(async ({ name: role, holds }) => {
      const held: PermissionSet = new Set(holds)
      return { role, held, person: await organisation.addPerson({ role, groups: [group] }) }
    }),
)
const administrator = people.find(({ role }) => role === 'Administrator')?.person
const { report_id: report } = (
  await call('study/report/detail', { sid: administrator?.sid, account_id: organisation.accountUuid })
).body
const kept = { ...(await makeTarget()), report }

type Walked = Route & { on: SessionSubject }
const needsSession = (route: Route): route is Walked =>
  !['anyone', 'operator', 'channel', 'request'].includes(route.on.kind)
const declared = Object.entries(routes).flatMap(([name, route]: [string, Route]) =>
  needsSession(route) ? route.methods.map((method) => ({ name, method, route })) : [],
)

const writes = (method: string, route: Route) =>
  ['POST', 'PUT', 'DELETE'].includes(method) && !route.methods.includes('GET') && route.path.startsWith(storageBase)

it.each(declared)('[PERM-01] $method of $name answers whom its declaration lets in', async ({ method, route }) => {
  const answered: Record<string, boolean> = {}
  const expected: Record<string, boolean> = {}
  for (const { role, held, person } of people) {
    // in a place of one's own, one of the caller's, people hold every right
    const { on } = route
    const isOwn = on.kind === 'report' && person === administrator
    const isExpected = isOwn || on.kind === 'caller' || ('may' in on && mayDo(on.may, { permissions: held }))
    expected[role] = isExpected
    const answer = await ask(route, method, isExpected ? await targetFor(method) : kept, person.sid)
    answered[role] = isAnswered(route, answer)
    expect(declaredCodes(route)).toContain(codeOf(answer))
  }
  expect(answered).toEqual(expected)
  for (const sid of [undefined, 'made-up']) expect(isAnswered(route, await ask(route, method, kept, sid))).toBe(false)
})

it.each(declared.filter(({ route }) => route.answer.includes('application/json')))(
  '$method of $name answers as the API page shows it, to the headers that the page names',
  async ({ method, route }) => {
    expect(route.reply).toBeDefined()
    const request = requestOf({ method, url: route.path }, await targetFor(method))
    const named = ['content-type', ...Object.keys(route.headers ?? {}).map((name) => name.toLowerCase())]
    expect(named).toEqual(expect.arrayContaining(Object.keys(request.headers ?? {})))
    const { statusCode, body } = await askDoor(origin, request, administrator?.sid)
    if (statusCode < 300) expectLike(JSON.parse(body), route.reply)
  },
)

it.each(declared.filter(({ method, route }) => writes(method, route)))(
  '$method of $name refuses a parameter that it has no use for',
  async ({ method, route }) => {
    const target = await makeTarget()
    const request = requestOf({ method, url: route.path }, target)
    const odd = { ...request, query: { ...request.query, patientid: '55512' } }
    const answer = await askDoor(origin, odd, administrator?.sid)
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('no parameter patientid')])
    const plain = await askDoor(origin, request, administrator?.sid)
    expect(plain.body).not.toContain('no parameter')
  },
)

it.each(
  declared.filter(
    ({ route: { on } }) => on.kind === 'study' || on.kind === 'dicomwebStudy' || on.kind === 'dicomwebScope',
  ),
)(
  '$method of $name puts on record what it declares, once a session, and nothing of a refusal',
  async ({ method, route }) => {
    const target = await makeTarget()
    const before = await accesses(target)
    const sid = await makeSession(services.db, administrator?.userUuid ?? '')
    await ask(route, method, target, 'made-up')
    await ask(route, method, { ...target, instance: '1.2' }, sid)
    const isRefused = /:imageUid|:instance/.test(route.path)
    expect(isRefused ? await accesses(target) : before).toEqual(before)
    const answers = [await ask(route, method, target, sid), await ask(route, method, target, sid)]
    const isGiven = (answers[0]?.statusCode ?? 500) < 400
    const isHeadOfDownload = method === 'HEAD' && route.audit?.includes('STUDY_DOWNLOAD')
    const acts = isGiven && !isHeadOfDownload ? (route.audit ?? []) : []
    expect((await accesses(target)).toSorted()).toEqual([...before, ...acts].toSorted())
  },
)

it.each(declared.filter(({ route: { on } }) => on.kind === 'report'))(
  '$method of $name puts on record what it declares each time, and nothing of a refusal',
  async ({ method, route }) => {
    const before = await reportActs()
    for (const sid of [undefined, people.find(({ person }) => person !== administrator)?.person.sid])
      await ask(route, method, kept, sid)
    expect(await reportActs()).toEqual(before)
    for (let time = 0; time < 2; time++) await ask(route, method, kept, administrator?.sid)
    expect(await reportActs()).toEqual([...before, ...(route.audit ?? []), ...(route.audit ?? [])])
  },
)

it('a session derived for a study reads that study, keeps measurements of it, and opens no other door', async () => {
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${kept.study}'`)
  const derived = (await call('session/derive', { sid: administrator?.sid, studies: [row?.uuid] })).body.sid
  for (const { method, route } of declared) {
    const isRead = method === 'GET' || method === 'HEAD'
    const answer = await ask(route, method, kept, derived)
    expect([route.path, isAnswered(route, answer)]).toEqual([
      route.path,
      route.opensToDerived ?? (isRead && route.on.kind !== 'report' && (route.on.kind !== 'caller' || !route.on.may)),
    ])
  }
})

it.each([
  { rights: ['study_view'] as const },
  { rights: ['study_view', 'study_download', 'study_report_view'] as const },
])(
  '[PERM-01] a link with $rights reads its study by the doors of these acts, and opens no other',
  async ({ rights }) => {
    const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${kept.study}'`)
    const link = await makeLink(services.db, {
      accountUuid: organisation.accountUuid,
      createdBy: administrator?.userUuid ?? '',
      studies: [{ phi_namespace: group.namespaceUuid, uuid: row?.uuid ?? '' }],
      permissions: rights,
    })
    const sid = await openLink(services.db, link)
    const held = { permissions: new Set(rights) as PermissionSet }
    for (const { method, route } of declared) {
      const { on } = route
      const isRead = method === 'GET' || method === 'HEAD'
      const isExpected = isRead && on.kind !== 'caller' && 'may' in on && mayDo(on.may, held)
      const answer = await ask(route, method, kept, sid)
      expect([method, route.path, isAnswered(route, answer)]).toEqual([method, route.path, isExpected])
    }
  },
)

it('[PERM-01] a link to upload into the namespace reads nothing there and opens none of these doors', async () => {
  const request = await makeRequest(services.db, {
    accountUuid: organisation.accountUuid,
    createdBy: administrator?.userUuid ?? '',
    namespaceUuid: group.namespaceUuid,
  })
  const sid = await openLink(services.db, request)
  for (const { method, route } of declared) {
    const answer = await ask(route, method, kept, sid)
    expect([method, route.path, isAnswered(route, answer)]).toEqual([method, route.path, false])
  }
})

const ofRequests = Object.values(routes).filter((route: Route) => route.on.kind === 'request')

it('[PERM-01] the doors of a request open to its own session alone, and take the studies that its sender announced', async () => {
  expect(ofRequests.length).toBeGreaterThan(1)
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${kept.study}'`)
  const [accountUuid, createdBy] = [organisation.accountUuid, administrator?.userUuid ?? '']
  const studies = [{ phi_namespace: group.namespaceUuid, uuid: row?.uuid ?? '' }]
  const ofLink = await openLink(services.db, await makeLink(services.db, { accountUuid, createdBy, studies }))
  const asked = await makeRequest(services.db, { accountUuid, createdBy, namespaceUuid: group.namespaceUuid })
  const ofRequest = await openLink(services.db, asked)
  for (const { path, methods } of ofRequests) {
    const codeFor = async (sid: string) => {
      const url = `${path}?study_uid=${kept.study}&sid=${sid}`
      const { statusCode, body } = await app.inject({ method: methods[0], url, payload: 'bytes' })
      return codeOf({ statusCode, body } as DoorAnswer)
    }
    for (const sid of [...people.map(({ person }) => person.sid), ofLink, 'made-up', ''])
      expect([path, await codeFor(sid)]).toEqual([path, 'ACCESS_DENIED'])
    expect([path, await codeFor(ofRequest)]).toEqual([path, 'BAD_REQUEST'])
  }
})

function makeTarget(): Promise<DoorTarget> {
  return makeDoorTarget(origin, administrator?.sid ?? '', group.namespaceUuid, newUid())
}

/** A study to be changed is one of its own. */
function targetFor(method: string): DoorTarget | Promise<DoorTarget> {
  return method === 'GET' || method === 'HEAD' ? kept : makeTarget()
}

function ask(route: Route, method: string, target: DoorTarget, sid: string | undefined): Promise<DoorAnswer> {
  return askDoor(origin, requestOf({ method, url: route.path }, target), sid)
}

/** DICOMweb, and the files of reports, do not tell what the caller may not see from what is not there. */
function isAnswered({ on }: Walked, { statusCode }: DoorAnswer): boolean {
  return statusCode !== 401 && statusCode !== 403 && !(/^dicomweb|^report$/.test(on.kind) && statusCode === 404)
}

/** Holds an answer to its example: no field that the example has not, and values of the same kinds. */
function expectLike(answer: unknown, example: unknown): void {
  if (answer === null) return
  if (Array.isArray(answer)) return answer.forEach((one) => expectLike(one, (example as unknown[])[0]))
  expect(typeof answer).toBe(typeof example)
  if (typeof answer !== 'object') return
  const shown = example as Record<string, unknown>
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(answer)))
  for (const [name, value] of Object.entries(answer)) expectLike(value, shown[name])
}

/** The code of a refusal, of DICOMweb its status; that of an answer, and of one without a body, is none. */
function codeOf({ statusCode, body }: DoorAnswer): string | number {
  if (statusCode < 400 || body === '') return ''
  return JSON.parse(body).kind?.readable_status ?? statusCode
}
function declaredCodes(route: Route): (string | number)[] {
  return ['', ...commonErrorsOf(route.on), ...route.errors]
}

/** Acts on the report that are on record, its making apart. */
async function reportActs(): Promise<string[]> {
  const rows = await query<{ action: string }>(`select action from audit
    where detail->>'report_id' = '${report}' and action <> 'LIST_REPORT' order by id`)
  return rows.map(({ action }) => action)
}

/** Looks at a study that are on record. */
async function accesses({ study }: DoorTarget): Promise<string[]> {
  const rows = await query<{ action: string }>(`select a.action from audit a
    join study s on s.uuid = a.object_uuid
    where s.study_uid = '${study}' and a.action in ('STUDY_VIEW', 'STUDY_DOWNLOAD', 'REPORT_VIEW')`)
  return rows.map(({ action }) => action)
}
