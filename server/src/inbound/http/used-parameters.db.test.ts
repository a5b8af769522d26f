import { access } from 'node:fs/promises'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it } from 'vitest'
import { makeSamples } from '../../../test/call-samples.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import {
  type Change,
  type ChangedPlace,
  parameterChanges,
  type ShownElsewhere,
  type Unused,
} from '../../../test/parameter-changes.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every parameter that a call declares is used: with another value the call answers otherwise, writes otherwise, or
 * refuses. The same request twice is answered alike, so that the value alone makes the difference.
 */

const app = await startTestApp()
const { services, call, query } = app
const shareCode = 'USED1'
const samples = makeSamples(app, shareCode)
const organisation = await makeOrganisation(services.db, { vanity: 'changed' })
const { accountUuid } = organisation
const group = await organisation.addGroup()
const otherGroup = await organisation.addGroup()
const other = await organisation.addPerson({ groups: [group] })
await query(`update app_group set share_code = '${shareCode}' where uuid = '${group.groupUuid}'`)
let people = 0

const entries = Object.entries(parameterChanges).flatMap(([name, fields]) =>
  Object.entries(fields as Record<string, Change | Unused | ShownElsewhere>).map(([field, change]) => ({
    name: name as CallName,
    field,
    change,
  })),
)
const changes = entries.flatMap(({ change, ...one }) => ('to' in change ? [{ ...one, change }] : []))

it.each(changes)('[OPEN-01] $name uses $field', async ({ name, field, change }) => {
  const isSample = !('from' in change || change.with || change.prepare)
  const first = (isSample && ofSamples.get(name)) || (await outcome(name, field, change, 'from'))
  const again = ofSamples.has(name) && isSample ? first : await outcome(name, field, change, 'from')
  expect(again).toEqual(first)
  if (isSample) ofSamples.set(name, first)
  const changed = await outcome(name, field, change, 'to')
  expect(changed, `answered alike with ${JSON.stringify(change.to)}`).not.toEqual(first)
})

it('says why a parameter is taken that changes nothing, or where it is tested', async () => {
  const others = entries.map(({ change }) =>
    'to' in change ? 'changed' : 'unused' in change ? change.unused : 'tested',
  )
  expect(others).not.toContain('')
  for (const { change } of entries) if ('shownBy' in change) await access(change.shownBy)
})

/** The answer of each call to its sample, and the rows that it writes. */
const ofSamples = new Map<CallName, string[]>()

async function outcome(name: CallName, field: string, change: Change, end: 'from' | 'to'): Promise<string[]> {
  const place = await makePlace()
  if (change.prepare) await query(change.prepare(place))
  const sent: Record<string, unknown> = { sid: place.person.sid, ...(await samples[name](place)) }
  for (const [other, value] of Object.entries(change.with ?? {})) put(sent, other, value, place)
  if (end === 'to' || 'from' in change) put(sent, field, change[end], place)
  const before = await findLastWritten()
  const { status, body } = await call(calls[name].path, sent)
  return withoutChance({ status, body, written: await writtenSince(before) }, place)
}

function put(sent: Record<string, unknown>, field: string, value: unknown, place: ChangedPlace): void {
  const read = typeof value === 'function' ? value(place) : value
  if (read === undefined) delete sent[field]
  else sent[field] = read
}

/** A study, people and groups that no other request has touched. */
async function makePlace(): Promise<ChangedPlace> {
  const inGroup = { ...group, accountUuid }
  await query(
    'delete from study; delete from tag_word; delete from saved_search; delete from route_run; delete from routing_rule',
  )
  const login = `login${++people}`
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group, otherGroup], login })
  const { uuid, study_uid } = await makeStudy(services.db, inGroup)
  const own = await makeStudy(services.db, { ...person, accountUuid })
  return {
    ...inGroup,
    studyUuid: uuid,
    studyUid: study_uid,
    ownStudyUuid: own.uuid,
    person,
    login,
    otherUserUuid: other.userUuid,
    otherGroup,
    roleUuid: organisation.roles.get('Viewer') ?? '',
  }
}

/** A record of every statement: the rows that the statement wrote, as they became, and the change of their number. */
await query(
  `create unlogged table written_row (seq bigint generated always as identity primary key, change integer, written text)`,
)
await query(`create function keep_written_rows() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' then
    insert into public.written_row (change, written) select -count(*), tg_table_name from before_it having count(*) > 0;
  else
    insert into public.written_row (change, written)
      select case tg_op when 'INSERT' then 1 else 0 end,
        tg_table_name || ' ' || (to_jsonb(t) - array['id', 'seq', 'tx', 'study_key'])::text from after_it t;
  end if;
  return null;
end $$`)
const tables = (
  await query<{ name: string }>(`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('attempt', 'session', 'known_place', 'written_row')`)
).map(({ name }) => name)
for (const table of tables) {
  for (const [act, rows] of [
    ['insert', 'new table as after_it'],
    ['update', 'new table as after_it'],
    ['delete', 'old table as before_it'],
  ])
    await query(`create trigger kept_${act} after ${act} on "${table}" referencing ${rows}
      for each statement execute function keep_written_rows()`)
}

async function findLastWritten(): Promise<string> {
  const [row] = await query<{ seq: string }>('select coalesce(max(seq), 0)::text as seq from written_row')
  return row?.seq ?? '0'
}

/** Rows that were written, and tables that have more or fewer. */
async function writtenSince(seq: string): Promise<string[]> {
  const rows = await query<{ change: number; written: string }>(
    `select change, written from written_row where seq > ${seq}`,
  )
  const grown = new Map<string, number>()
  for (const { change, written } of rows) {
    const [table = ''] = written.split(' ', 1)
    grown.set(table, (grown.get(table) ?? 0) + change)
  }
  return [
    ...rows.flatMap(({ change, written }) => (change < 0 ? [] : [written])),
    ...[...grown].flatMap(([table, by]) => (by === 0 ? [] : [`${table} counts`])),
  ]
}

/** Rows that put a refusal on record, which is done after the answer. */
const lateRows = /^access_refusal |ACCESS_REFUSED|^audit\w* counts$/

const forms: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/2\.25\.\d+/g, '<uid>'],
  [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d[\d:.]*(Z|[+-]\d\d(:?\d\d)?)?/g, '<stamp>'],
  [/person\d+@|login\d+|Person \d+/gi, '<name>'],
  [/\b(?=[0-9a-f]*[1-9a-f])[0-9a-f]{32}\b/g, '<digest>'],
  [/"(key": |serial_no": ?|uuid":")\d+/g, '<number>'],
  [/\/link\/[\w-]{22}/g, '/link/<secret>'],
  [/\$argon2id\$[^"]*/g, '<hash>'],
  [/\b(\\\\x)?[0-9a-f]{64}\b|[\w+/-]{43,}=*/g, '<digest>'],
]

function withoutChance(value: { written: string[] } & Record<string, unknown>, place: ChangedPlace): string[] {
  const named: Record<string, string> = {
    [place.studyUuid]: '<study>',
    [place.studyUid]: '<its uid>',
    [place.ownStudyUuid]: '<own study>',
    [place.person.userUuid]: '<person>',
    [place.person.namespaceUuid]: '<own namespace>',
    [group.groupUuid]: '<group>',
    [group.namespaceUuid]: '<namespace>',
    [accountUuid]: '<account>',
  }
  const clean = (text: string) => {
    let cleaned = text
    for (const [uuid, name] of Object.entries(named)) cleaned = cleaned.replaceAll(uuid, name)
    for (const [form, name] of forms) cleaned = cleaned.replace(form, name)
    return cleaned
  }
  const { written, ...answer } = value
  return [
    clean(JSON.stringify(answer)),
    ...written
      .filter((one) => !lateRows.test(one))
      .map(clean)
      .toSorted(),
  ]
}
