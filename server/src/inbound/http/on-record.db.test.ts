import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { makeOrganisation, makeSession, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every declared call that an administrator can ask well: where a table has changed, the audit has one more row. A call that
 * is added is walked without a change here.
 */

const app = await startTestApp()
const { services, call, query } = app
const shareCode = 'RECORD1'
const samples = makeSamples(app, shareCode)

/** Tables of what nobody looks up later: when a session was used, what was counted, what waits to be done. */
const passing = new Set(['session', 'session_token', 'attempt', 'work', 'event', 'study_lock'])

/** Tables of what people keep for themselves, which concerns nobody else; when somebody read an exam is on record as its view. */
const ownThings = new Set([
  'setting',
  'saved_search',
  'saved_search_share',
  'study_star',
  'study_read',
  'event_choice',
  'study_timing',
  // until the code was typed, a second factor is not there
  'two_factor',
])

const unrecorded: Partial<Record<CallName, string>> = {
  auditCheck: 'the check is put on record when it ends',
  linkPinSend: 'a code by mail; opening and refusing are on record',
  studySync: 'how many images a sender has; the end of the upload is on record',
}

/**
 * Calls whose sample is refused to an administrator of a place with two exams: they want a link, a provider, a code, images of
 * two patients. The tests of their own areas hold what they put on record.
 */
const refusedHere = new Set<CallName>([
  'identityBegin',
  'identityFinish',
  'identityLinkBegin',
  'linkBrand',
  'linkMail',
  'linkRequest',
  'linkStudies',
  'linkUploadBegin',
  'linkUploadCheck',
  'linkUploadEnd',
  'sessionLogin',
  'sessionOauthToken',
  'sessionPin',
  'sessionPinCodes',
  'sessionPinConfirm',
  'sessionPinRemove',
  'sessionProxy',
  'sessionToken',
  'studyConflictSettle',
  'studyDeidentifyAdd',
  'studyDeidentifyPreview',
  'studyManualRoute',
  'studyMerge',
  'studyMergePreview',
  'studyRevive',
  'studySplit',
  'studySplitUndo',
  'systemAccountUsers',
  'userPasswordReset',
  'userPasswordResetCheck',
  'userDelete',
])

it.each((Object.keys(calls) as CallName[]).filter((name) => !(name in unrecorded)))(
  '%s leaves a row of the audit where it changes something',
  async (name) => {
    const place = await makePlace()
    const sent = await samples[name](place)
    const sid = await makeSession(services.db, place.person.userUuid)
    if (calls[name].on.kind === 'system')
      await query(`update app_user set sysadmin = true where uuid = '${place.person.userUuid}'`)
    const before = await contents()
    const { status } = await call(calls[name].path, { ...sent, sid })
    const after = await contents()
    // work that one asks for is on record, work that goes on by itself is not
    const isTended = calls[name].path.startsWith('job/')
    const changed = Object.keys(after).filter((table) => after[table] !== before[table])
    const lasting = changed.filter((table) => !ownThings.has(table) && (isTended || !passing.has(table)))
    // a sample that is refused here shows nothing: which they are is written down, so that none is added unseen
    expect(status === 200).toBe(!refusedHere.has(name))
    const isDue = status === 200 && lasting.some((table) => table !== 'session')
    expect({ lasting, isOnRecord: changed.includes('audit') }).toEqual({
      lasting,
      isOnRecord: isDue || changed.includes('audit'),
    })
  },
)

async function makePlace(): Promise<Place> {
  const organisation = await makeOrganisation(services.db)
  const group = await organisation.addGroup()
  await query(`update app_group set share_code = '' where share_code = '${shareCode}'`)
  await query(`update app_group set share_code = '${shareCode}' where uuid = '${group.groupUuid}'`)
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const { accountUuid } = organisation
  return {
    accountUuid,
    ...group,
    studyUuid: (await makeStudy(services.db, { ...group, accountUuid })).uuid,
    ownStudyUuid: (await makeStudy(services.db, { ...person, accountUuid })).uuid,
    person,
  }
}

/** The contents of each table as one figure. */
async function contents(): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const figures = tables.map(
    ({ name }) => sql`
      select ${name} as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as figure
      from ${sql.table(name)} t`,
  )
  const { rows } = await sql<{ name: string; figure: string }>`${sql.join(figures, sql` union all `)}`.execute(
    services.db,
  )
  return Object.fromEntries(rows.map(({ name, figure }) => [name, figure]))
}
