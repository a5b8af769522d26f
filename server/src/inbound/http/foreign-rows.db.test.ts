import { randomInt, randomUUID } from 'node:crypto'
import type { AnyCall } from '@hilum/contract/call'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { accountWord, type ForeignRow, makeForeignWorld, makeStatedStudies } from '../../../test/foreign-world.ts'
import { type Group, makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { namedRows, type RowKind } from '../../../test/named-rows.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every field of every call that names a row, given a row that is not the asker's to know of, and one that nobody ever
 * made: both are answered byte-alike, however they are sent, and nothing of the foreign row is told or changed.
 */

const app = await startTestApp()
const { services, call, query } = app
const theirs = await makeOrganisation(services.db)
const ours = await makeOrganisation(services.db)
const world = await makeForeignWorld(app, theirs)
const shareCode = 'WALK2'
const samples = makeSamples(app, shareCode)

interface Asker {
  who: string
  place: () => Promise<Place>
  rowsOf: (kind: RowKind) => readonly ForeignRow[]
  /** Texts of the world that are no secret to this asker. */
  known: ReadonlySet<string>
}

const askers = await listAskers()
// the sample of account/settings gives the account of its place this host name
const { accountUuid } = theirs
await query(`update account set vanity = 'walked.${accountUuid}.example' where uuid = '${accountUuid}'`)
const before = await world.contents()
const encodings = ['query', 'form', 'json', 'bundle', 'token'] as const
type Encoding = (typeof encodings)[number]

const fields = Object.entries(namedRows).flatMap(([name, kinds]) =>
  Object.entries(kinds as Record<string, RowKind>).map(([field, kind]) => ({ name: name as CallName, field, kind })),
)

it.each(fields)('[OPEN-01] $name answers a foreign $field like an unknown one', async ({ name, field, kind }) => {
  for (const asker of askers) {
    for (const [index, row] of asker.rowsOf(kind).entries()) {
      if (isTakenHere(name, field, row) || isSharedWith(name, field, asker)) continue
      // in each encoding for one row, in one of them for the others
      const tried = encodings.filter(
        (one) => one === 'json' || (index === 0 && asker === askers[0] && mayBe(name, one)),
      )
      for (const encoding of tried) {
        const options = { name, field, asker, encoding }
        const foreign = await tell(options, row.value)
        const unknown = await tell(options, unknownLike(row.value))
        expect(foreign, `${asker.who}: ${row.state}, by ${encoding}`).toEqual(unknown)
      }
    }
  }
})

const namesWithFields = [
  ['studySet', 'customfield-{uuid}'],
  ['studyAdd', 'customfield-{uuid}'],
  ['accountSet', 'customfield-{uuid}'],
  ['accountUserAdd', 'customfield-{uuid}'],
  ['accountUserSet', 'customfield-{uuid}'],
  ['userInvite', 'customfield-{uuid}'],
  ['groupAdd', 'customfield-{uuid}'],
  ['groupSet', 'customfield-{uuid}'],
  ['locationAdd', 'customfield-{uuid}'],
  ['locationSet', 'customfield-{uuid}'],
  ['studyList', 'filter.customfield-{uuid}.equals'],
  ['studyCount', 'filter.customfield-{uuid}.equals'],
] as const

it.each(namesWithFields)(
  '[OPEN-01] %s answers the foreign custom field of %s like an unknown one',
  async (name, key) => {
    const [stranger] = askers
    const [field] = world.rows.customfield
    const told = await Promise.all(
      [field?.value ?? '', randomUUID()].map(async (uuid) => {
        const place = (await stranger?.place()) as Place
        const sent = { ...(await samples[name](place)), [key.replace('{uuid}', uuid)]: 'x', sid: place.person.sid }
        const { status, body } = await call(calls[name].path, sent)
        return { status, body: withoutChance(JSON.stringify(body)) }
      }),
    )
    expect(told[0]).toEqual(told[1])
  },
)

it('[OPEN-01] leaves all foreign rows as they were', async () => {
  expect(await world.contents()).toEqual(before)
})

/** A namespace holds a study once: whoever may add to it is told that a UID is taken, and nothing else of it. */
function isTakenHere(name: CallName, field: string, { state }: ForeignRow): boolean {
  return name === 'studyAdd' && field === 'study_uid' && state.endsWith(' here')
}

/** A study can be shared with every group of one's account, also one that one does not belong to. */
function isSharedWith(name: CallName, field: string, asker: Asker): boolean {
  return name === 'studyShare' && field === 'group_id' && asker !== askers[0]
}

function mayBe(name: CallName, encoding: Encoding): boolean {
  return encoding !== 'query' || !(calls[name] as unknown as AnyCall).postOnly
}

type Options = { name: CallName; field: string; asker: Asker; encoding: Encoding }

/** The answer to the asker, freed of what differs from one request to the next. */
async function tell({ name, field, asker, encoding }: Options, value: string): Promise<object> {
  const place = await asker.place()
  const { sid } = place.person
  const sample = { ...(await samples[name](place)) }
  if (isOfTriplet(name, field)) {
    delete sample.uuid
    delete sample.study_id
    Object.assign(sample, await tripletOf(place))
  }
  const isList = Array.isArray(sample[field])
  const put = (text: string) => ({ ...sample, [field]: isList ? [text] : text })
  const { path } = calls[name]
  const answer = await send(path, encoding, sid, value, put)
  const text = JSON.stringify(answer.body).replaceAll(value, '<sent>')
  const told = world.secrets.filter((secret) => !asker.known.has(secret) && text.includes(secret))
  expect(told, `${name} with ${field}: ${encoding}`).toEqual([])
  // a study of this UID in the asker's own place would be found by the next request
  if (field === 'study_uid')
    await query(`delete from study where study_uid = '${value}' and phi_namespace = '${place.namespaceUuid}'`)
  return { status: answer.status, body: withoutChance(text) }
}

async function send(
  path: string,
  encoding: Encoding,
  sid: string,
  value: string,
  put: (text: string) => Record<string, unknown>,
): Promise<{ status: number; body: unknown }> {
  const sent = { ...put(value), sid }
  switch (encoding) {
    case 'json':
      return call(path, sent)
    case 'query':
      return call(path, textsOf(sent), { method: 'GET' })
    case 'form':
      return call(
        path,
        {},
        {
          body: new URLSearchParams(textsOf(sent)).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      )
    case 'bundle':
      return call('bundle', {}, { body: [{ URL: `/${path}`, ...sent }] })
    case 'token': {
      await call('setting/set', { sid, key: 'walked', value })
      const items = [
        { URL: '/setting/get', sid, key: 'walked' },
        { URL: `/${path}`, ...put('{{value}}'), sid },
      ]
      return call('bundle', {}, { body: items })
    }
  }
}

function textsOf(sent: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
}

const uuidText = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

function withoutChance(text: string): string {
  return text
    .replace(uuidText, '<uuid>')
    .replace(/2\.25\.\d+/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\d[ T][\d:.]+(Z|[+-]\d\d(:?\d\d)?)?/g, '<stamp>')
    .replace(/"[\w-]{43}"/g, '"<sid>"')
}

function unknownLike(value: string): string {
  return value.startsWith('2.25.')
    ? value.replace(/\d{9}$/, () => String(randomInt(100_000_000, 999_999_999)))
    : randomUUID()
}

function isOfTriplet(name: CallName, field: string): boolean {
  return 'uuid' in namedRows[name] && ['study_uid', 'storage_namespace', 'phi_namespace'].includes(field)
}

async function tripletOf({ studyUuid }: Place): Promise<Record<string, string>> {
  const [row] = await query<Record<string, string>>(
    `select study_uid, storage_namespace, phi_namespace from study where uuid = '${studyUuid}'`,
  )
  return row ?? {}
}

async function listAskers(): Promise<Asker[]> {
  const ourGroup = await ours.addGroup()
  await query(`update app_group set share_code = '${shareCode}' where uuid = '${ourGroup.groupUuid}'`)
  const stranger = await ours.addPerson({ role: 'Administrator', groups: [ourGroup] })
  const theirOther = { ...(await theirs.addGroup()), accountUuid: theirs.accountUuid }
  const colleague = await theirs.addPerson({ role: 'Clinician', groups: [theirOther] })
  const hidden = await makeStatedStudies(app, theirOther, ['waiting', 'deleted'])
  const rowsOfColleague: Partial<Record<RowKind, readonly ForeignRow[]>> = {
    study: [...world.rows.study, ...hidden.map(({ state, uuid }) => ({ state: `${state} here`, value: uuid }))],
    studyUid: hidden.map(({ state, study_uid }) => ({ state: `${state} here`, value: study_uid })),
    namespace: world.rows.namespace.slice(0, 2),
    group: world.rows.group,
    job: world.rows.job,
    report: world.rows.report,
    search: world.rows.search,
  }
  return [
    {
      who: 'an administrator of another account',
      place: () => freshPlace(stranger, { ...ourGroup, accountUuid: ours.accountUuid }),
      rowsOf: (kind) => world.rows[kind],
      known: new Set(),
    },
    {
      who: 'a member of another group of the account',
      place: () => freshPlace(colleague, theirOther),
      rowsOf: (kind) => rowsOfColleague[kind] ?? [],
      known: new Set([
        ...[...world.rows.account, ...world.rows.customfield, ...world.rows.role, ...world.rows.user].map(
          ({ value }) => value,
        ),
        theirs.namespaceUuid,
        accountWord,
        accountWord.toUpperCase(),
      ]),
    },
  ]
}

/** A place whose studies no request has touched. */
async function freshPlace(person: Person, group: Group & { accountUuid: string }): Promise<Place> {
  const { uuid } = await makeStudy(services.db, group)
  return { ...group, person, studyUuid: uuid, ownStudyUuid: uuid }
}
