import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@hilum/contract/call'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { accountWord, foreignWord, makeForeignWorld, makeStatedStudies } from '../../../test/foreign-world.ts'
import { makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every call that lists, or that answers of itself, with every filter, sort and flag it takes: nothing of a foreign row
 * is told, and a filter that names one is answered like a filter that names nothing.
 */

const app = await startTestApp()
const { services, call, query } = app
const theirs = await makeOrganisation(services.db)
const ours = await makeOrganisation(services.db)
const world = await makeForeignWorld(app, theirs)
const shareCode = 'WALK3'
const samples = makeSamples(app, shareCode)

const ourGroup = await ours.addGroup()
await query(`update app_group set share_code = '${shareCode}' where uuid = '${ourGroup.groupUuid}'`)
const stranger = await ours.addPerson({ role: 'Administrator', groups: [ourGroup] })
const theirOther = await theirs.addGroup()
const colleague = await theirs.addPerson({ role: 'Clinician', groups: [theirOther] })
await makeStatedStudies(app, { ...theirOther, accountUuid: theirs.accountUuid }, ['waiting', 'deleted'])

const ofAccount = new Set([
  accountWord,
  accountWord.toUpperCase(),
  theirs.namespaceUuid,
  ...[
    ...world.rows.account,
    ...world.rows.customfield,
    ...world.rows.destination,
    ...world.rows.node,
    ...world.rows.route,
    ...world.rows.webhook,
    ...world.rows.delivery,
    ...world.rows.role,
    ...world.rows.order,
    ...world.rows.user,
  ].map(({ value }) => value),
])
const askers = [
  {
    who: 'an administrator of another account',
    place: await placeOf(stranger, ours.accountUuid, ourGroup),
    secrets: world.secrets,
  },
  {
    who: 'a member of another group of the account',
    place: await placeOf(colleague, theirs.accountUuid, theirOther),
    secrets: world.secrets.filter((one) => !ofAccount.has(one)),
  },
]
const owner = await placeOf(world.owner, theirs.accountUuid, world.group)

const everything = { 'page.rows': 5000, extra: 1, customfield_h: 1, permissions: 1 }
const revealing = [
  {},
  { 'filter.is_deleted.equals': 1 },
  { 'filter.must_approve.equals': 1 },
  { 'filter.phantom.equals': 1 },
  { 'filter.thin.equals': 0 },
]
const lists = (Object.entries(calls) as unknown as [CallName, AnyCall][]).filter(([, one]) => one.list)

it.each(Object.keys(calls) as CallName[])('[OPEN-01] %s tells nothing of foreign rows', async (name) => {
  for (const { who, place, secrets } of askers) {
    for (const more of revealing) {
      const { body } = await ask(name, place, more)
      expect(secretsIn(body, secrets), `${who}, ${JSON.stringify(more)}`).toEqual([])
    }
  }
})

it.each(lists)('[OPEN-01] %s finds nothing foreign by any filter or order', async (name, { list }) => {
  for (const { who, place, secrets } of askers) {
    for (const [field, kind] of Object.entries(list?.filters ?? {})) {
      for (const [value, unknown] of kind === 'uuid' ? foreignIds : foreignWords) {
        const condition = kind === 'text' || field === 'SMART_SEARCH' ? 'like' : 'equals'
        const filter = `filter.${field}.${condition}`
        const foreign = await ask(name, place, { [filter]: value })
        expect(secretsIn(withoutSent(foreign, value), secrets), `${who}, ${filter}`).toEqual([])
        if (!secrets.includes(value.replaceAll('%', ''))) continue
        const nothing = await ask(name, place, { [filter]: unknown })
        expect(withoutSent(foreign, value), `${who}, ${filter}`).toEqual(withoutSent(nothing, unknown))
      }
    }
    for (const field of list?.sorts ?? []) {
      const { body } = await ask(name, place, { sort_by: `${field}-desc` })
      expect(secretsIn(body, secrets), `${who}, by ${field}`).toEqual([])
    }
  }
})

it('[OPEN-01] finds them all for their own people, so that the walk looks where there is something', async () => {
  const telling: string[] = []
  for (const [name] of lists) {
    const told = await Promise.all(revealing.map((more) => ask(name, owner, more)))
    const text = JSON.stringify(told)
    if (text.includes(foreignWord) || text.includes(accountWord) || text.includes(accountWord.toUpperCase()))
      telling.push(name)
  }
  expect(telling.toSorted()).toEqual([
    'accountConnectList',
    'auditAccount',
    'customfieldList',
    'destinationList',
    'filterList',
    'groupList',
    'jobList',
    'linkList',
    'locationList',
    'mailOutbox',
    'orderList',
    'orderSpsFind',
    'outsideList',
    'retentionBin',
    'roleList',
    'routeList',
    'studyList',
    'tagList',
    'webhookList',
  ])
})

const foreignIds = Object.values(world.rows)
  .flat()
  .filter(({ value }) => !value.startsWith('2.25.'))
  .map(({ value }) => [value, randomUUID()] as const)
const foreignWords = [
  [foreignWord, 'Nobodys'],
  [`%${foreignWord}%`, '%Nobodys%'],
] as const

async function ask(name: CallName, place: Place, more: object): Promise<{ status: number; body: unknown }> {
  const sent = { ...(await samples[name](place)), ...everything, ...more, sid: place.person.sid }
  // signing out would end the walk
  if (name === 'sessionLogout') return { status: 200, body: {} }
  const { status, body } = await call(calls[name].path, sent)
  return { status, body }
}

/** The secrets that an answer tells. */
function secretsIn(answer: unknown, secrets: readonly string[]): string[] {
  const text = JSON.stringify(answer)
  return secrets.filter((secret) => text.includes(secret))
}

function withoutSent(answer: unknown, value: string): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(value, '<sent>'))
}

async function placeOf(
  person: Person,
  accountUuid: string,
  group: { groupUuid: string; namespaceUuid: string },
): Promise<Place> {
  const studyUuid = (await makeStudy(services.db, { ...group, accountUuid })).uuid
  return { ...group, accountUuid, person, studyUuid, ownStudyUuid: studyUuid }
}
