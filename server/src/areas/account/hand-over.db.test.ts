import { randomUUID } from 'node:crypto'
import { holdingKinds } from '@hilum/contract/calls/account-leaver'
import { describe, expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const administrator = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const taker = await organisation.addPerson({ groups: [group] })
const stranger = await organisation.addPerson()
const own = { sid: administrator.sid, uuid: accountUuid }

/** Somebody who holds one thing of each kind, and is taken out of the organisation. */
async function makeLeaver({ isGone = true } = {}) {
  const person = await organisation.addPerson({ groups: [group] })
  const user = person.userUuid
  const study = await makeStudy(services.db, { ...person, accountUuid })
  const shared = await makeStudy(services.db, { ...group, accountUuid })
  for (const action of ['STUDY_VIEW', 'STUDY_UPLOAD']) {
    const link = randomUUID()
    const rights = action === 'STUDY_VIEW' ? '{study_view}' : '{}'
    await query(`insert into link (uuid, account_uuid, created_by, action, permissions, expires_at, secret_digest, notify)
      values ('${link}', '${accountUuid}', '${user}', '${action}', '${rights}', now() + interval '1 day',
        decode('${link.replaceAll('-', '')}', 'hex'), '{${person.email}}')`)
    await (action === 'STUDY_VIEW'
      ? query(`insert into link_study values ('${link}', '${group.namespaceUuid}', '${shared.uuid}')`)
      : query(`insert into link_request (link_uuid, namespace_uuid, patient_name, patient_birth_date, patient_sex, patientid)
          values ('${link}', '${group.namespaceUuid}', '', '', '', '')`))
  }
  await query(`insert into saved_search (uuid, name, type, configuration, owner_uuid, account_uuid)
    values ('${randomUUID()}', 'Chest', 'Study', '{}', '${user}', '${accountUuid}')`)
  await query(`insert into routing_rule (uuid, account_uuid, namespace_uuid, name, sequence, saved_by)
    values ('${randomUUID()}', '${accountUuid}', '${group.namespaceUuid}', 'To the ward', 1, '${user}')`)
  const share = randomUUID()
  await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state, by_user)
    values ('${share}', '${group.namespaceUuid}', '${shared.uuid}', 'group', '${randomUUID()}', 'delivered', '${user}')`)
  await query(`insert into nomination (uuid, account_uuid, from_namespace, study_uuid, group_uuid, group_name,
      gate_namespace, gate_uuid, share_uuid, state, submitted_by)
    values ('${randomUUID()}', '${accountUuid}', '${group.namespaceUuid}', '${shared.uuid}', '${randomUUID()}', 'Gate',
      '${randomUUID()}', '${randomUUID()}', '${share}', 'nominated', '${user}')`)
  await query(`update study set status = 'in_progress', taken_by = '${user}' where uuid = '${shared.uuid}'`)
  await addKey(user)
  if (isGone) await call('account/user/delete', { ...own, user_id: user })
  return { ...person, study, shared }
}
const addKey = (user: string) =>
  query(`insert into session (uuid, sid_digest, user_uuid, client_address, method, name, scope, expires_at, strength,
      idle_minutes)
    values ('${randomUUID()}', decode('${randomUUID().replaceAll('-', '')}', 'hex'), '${user}', '', 'key', 'Nightly',
      '{study_view}', now() + interval '1 day', 'key', 60)`)
const holdingsOf = async (user: string) => {
  const { body } = await call('account/user/holdings', { ...own, user_id: user })
  return Object.fromEntries(body.holdings.map((one: { kind: string; count: number }) => [one.kind, one.count]))
}
const handOver = (user: string, kind: string, more: object = { to_user_id: taker.userUuid }) =>
  call('account/user/hand/over', { ...own, user_id: user, kind, ...more })

const one = { studies: 1, links: 1, requests: 1, searches: 1, rules: 1, nominations: 1, exams: 1 }

it('counts what somebody holds, before the person leaves and afterwards', async () => {
  const present = await makeLeaver({ isGone: false })
  expect(await holdingsOf(present.userUuid)).toEqual({ ...one, keys: 1 })
  const gone = await makeLeaver()
  expect(await holdingsOf(gone.userUuid)).toEqual(one)
  const { leavers } = (await call('account/user/leavers', own)).body
  const listed = leavers.map((person: { user_id: string }) => person.user_id)
  expect(listed).toContain(gone.userUuid)
  expect(listed).not.toContain(present.userUuid)
})

it('[GRID-01][GRID-03] lists everybody who left something page by page, each with all that was left', async () => {
  const { accountUuid: uuid, addPerson } = await makeOrganisation(services.db)
  const { sid } = await addPerson({ role: 'Administrator' })
  const number = "lpad(n::text, 3, '0')"
  await query(`with made as (
      insert into app_user (uuid, email, email_folded, first_name, last_name, password_hash, namespace_uuid)
      select gen_random_uuid(), 'leaver-' || ${number} || '@clinic.example', 'leaver-' || n, 'Leaver', ${number}, '', gen_random_uuid()
      from generate_series(1, 103) n
      returning uuid
    )
    insert into saved_search (uuid, name, type, configuration, owner_uuid, account_uuid)
    select gen_random_uuid(), 'Chest', 'Study', '{}', uuid, '${uuid}' from made, generate_series(1, 2)`)
  const ask = async (more: object) => (await call('account/user/leavers', { sid, uuid, ...more })).body
  const first = await ask({})
  expect(first.page).toMatchObject({ more: 1, total: 103 })
  const last = await ask({ 'page.number': 2 })
  expect(last.page).toMatchObject({ more: 0, total: 103 })
  const found = [...first.leavers, ...last.leavers] as { user_name: string; holdings: object[] }[]
  expect(found.map((one) => one.user_name)).toEqual(
    Array.from({ length: 103 }, (_, index) => `Leaver ${String(index + 1).padStart(3, '0')}`),
  )
  expect(found.filter((one) => JSON.stringify(one.holdings) !== '[{"kind":"searches","count":2}]')).toEqual([])
  const [newest] = (await ask({ sort_by: 'user_email-desc', 'page.rows': 1 })).leavers
  expect(newest.user_name).toBe('Leaver 103')
})

const namesOf = async (user: string, sid = administrator.sid) => {
  const { body } = await call('account/user/holdings', { ...own, sid, user_id: user })
  return Object.fromEntries(body.holdings.map((one: { kind: string; first: object[] }) => [one.kind, one.first]))
}

it('names what somebody left to whoever hands it over, and nothing of a person who works here', async () => {
  const { userUuid, study, shared } = await makeLeaver({ isGone: false })
  const places = await query<{ name: string; own: string }>(`select
    (select name from namespace where uuid = '${group.namespaceUuid}') as name,
    (select n.name from namespace n join study s on s.phi_namespace = n.uuid where s.uuid = '${study.uuid}') as own`)
  await query(`update study set patient_name = 'DOE^JANE', patientid = 'M-1', study_description = 'Chest',
    study_date = '20260102' where uuid in ('${study.uuid}', '${shared.uuid}')`)
  await query(`update link set email = 'gp@practice.example' where created_by = '${userUuid}'`)
  expect(Object.values(await namesOf(userUuid)).flat()).toEqual([])
  await call('user/enable', { sid: administrator.sid, uuid: userUuid, disable: 1 })
  await addKey(userUuid)
  const exam = { patient_name: 'DOE^JANE', patientid: 'M-1', study_description: 'Chest', study_date: '20260102' }
  const noExam = { patient_name: '', patientid: '', study_description: '', study_date: '' }
  const of = { namespace_name: places[0]?.name, name: '', expires_at: null }
  const soon = expect.stringMatching(/^20/)
  expect(await namesOf(userUuid)).toEqual({
    studies: [{ ...exam, ...of, namespace_name: places[0]?.own }],
    links: [{ ...exam, ...of, name: 'gp@practice.example', expires_at: soon }],
    requests: [{ ...noExam, ...of, name: 'gp@practice.example', expires_at: soon }],
    searches: [{ ...noExam, ...of, name: 'Chest', namespace_name: '' }],
    rules: [{ ...noExam, ...of, name: 'To the ward' }],
    nominations: [{ ...exam, ...of, name: 'Gate' }],
    exams: [{ ...exam, ...of }],
    keys: [{ ...noExam, ...of, name: 'Nightly', namespace_name: '', expires_at: soon }],
  })
  // the list of leavers stays without patients
  expect(JSON.stringify((await call('account/user/leavers', own)).body)).not.toContain('DOE^JANE')
})

it('names the five oldest of many things, and no field that the role does not see', async () => {
  const { userUuid, namespaceUuid } = await makeLeaver()
  await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, patient_name,
      patientid, created, updated)
    select '${namespaceUuid}', gen_random_uuid(), '2.25.7' || n, '${namespaceUuid}', '${accountUuid}', 'complete',
      'P^' || n, 'M', now() - interval '1 year' + n * interval '1 day', now()
    from generate_series(1, 9) n`)
  const { studies } = await namesOf(userUuid)
  expect(studies.map((one: { patient_name: string }) => one.patient_name)).toEqual(['P^1', 'P^2', 'P^3', 'P^4', 'P^5'])
  expect(await holdingsOf(userUuid)).toMatchObject({ studies: 10 })
  const role = organisation.roles.get('Administrator')
  await query(`insert into setting (scope, scope_uuid, key, value)
    values ('role', '${role}', 'study_field_flags', '{"study_field_patient_name": "H"}')`)
  expect((await namesOf(userUuid)).studies[0]).toMatchObject({ patient_name: '', patientid: 'M' })
  await query(`delete from setting where scope_uuid = '${role}'`)
})

it('hands each kind over to a person, who sees it as theirs and is told; nothing is left', async () => {
  const { userUuid, email, study, shared } = await makeLeaver()
  await query(`delete from mail`)
  for (const kind of Object.keys(one)) {
    expect((await handOver(userUuid, kind)).body).toMatchObject({ count: 1, left: 0 })
  }
  expect(await holdingsOf(userUuid)).toEqual({})
  const { leavers } = (await call('account/user/leavers', own)).body
  expect(leavers.map((person: { user_id: string }) => person.user_id)).not.toContain(userUuid)

  const list = (await call('study/list', { sid: taker.sid, 'filter.study_uid.equals': study.study_uid })).body
  expect(list.studies).toHaveLength(1)
  const exam = (await call('study/get', { sid: taker.sid, uuid: shared.uuid })).body
  expect(exam).toMatchObject({ taken_by: taker.userUuid })
  const searches = (await call('filter/list', { sid: taker.sid })).body.filters
  expect(searches.some((search: { name: string; owner: string }) => search.name === 'Chest')).toBe(true)
  const of = await query<Record<string, number>>(`select
      (select count(*)::int from link where created_by = '${taker.userUuid}' and notify = array['${taker.email}']) as links,
      (select count(*)::int from routing_rule where saved_by = '${taker.userUuid}' and not suspended) as rules,
      (select count(*)::int from nomination where submitted_by = '${taker.userUuid}') as nominations,
      (select count(*)::int from link where '${email}' = any(notify) and created_by = '${taker.userUuid}') as wrongly_told`)
  expect(of).toEqual([{ links: 2, rules: 1, nominations: 1, wrongly_told: 0 }])
  const mails = await query<{ recipient: string }>(`select distinct recipient from mail where subject like 'Work was%'`)
  expect(mails).toEqual([{ recipient: taker.email }])
  const notes = await query<{ kind: string }>(`select detail->>'handed_over' as kind from audit
    where object_uuid = '${userUuid}' and detail ? 'handed_over' order by id`)
  expect(notes.map(({ kind }) => kind)).toEqual(Object.keys(one))
})

it('ends each kind that can be ended, and the studies can be had again from the bin', async () => {
  const { userUuid, study, shared } = await makeLeaver({ isGone: false })
  await call('user/enable', { sid: administrator.sid, uuid: userUuid, disable: 1 })
  await addKey(userUuid)
  const { nominations: _, ...endable } = { ...one, keys: 1 }
  for (const kind of Object.keys(endable)) {
    expect((await handOver(userUuid, kind, { end: 1 })).body).toMatchObject({ left: 0 })
  }
  expect(await holdingsOf(userUuid)).toEqual({ nominations: 1 })
  const rows = await query(`select
      (select deleted_at is not null from study where uuid = '${study.uuid}') as in_bin,
      (select status || coalesce(taken_by::text, '') from study where uuid = '${shared.uuid}') as exam,
      (select count(*)::int from link where created_by = '${userUuid}' and ended_at is null) as links,
      (select count(*)::int from session where user_uuid = '${userUuid}') as sessions`)
  expect(rows).toEqual([{ in_bin: true, exam: 'new', links: 0, sessions: 0 }])
  // as each end by hand: in the history of the study, or of the group that asked
  const ends = await query(`select a.object_uuid from audit a
    where a.type = 'Link' and a.action = 'DELETE' and a.detail ->> 'link' in (select uuid::text from link where created_by = '${userUuid}')
    order by a.id`)
  expect(ends).toEqual([{ object_uuid: shared.uuid }, { object_uuid: group.namespaceUuid }])
})

it('reaches what comes after two hundred studies that stay', async () => {
  const { userUuid, namespaceUuid, study } = await makeLeaver()
  await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, hold, created, updated)
    select '${namespaceUuid}', gen_random_uuid(), '2.25.9' || n, '${namespaceUuid}', '${accountUuid}', 'complete', true,
      now() - interval '1 year', now()
    from generate_series(1, 201) n`)
  expect((await handOver(userUuid, 'studies', { end: 1 })).body).toMatchObject({ count: 1, left: 201 })
  expect(await query(`select deleted_at is not null as gone from study where uuid = '${study.uuid}'`)).toEqual([
    { gone: true },
  ])
})

it('leaves what the receiver may not have where it is, and says how much that is', async () => {
  const { userUuid } = await makeLeaver()
  const to = { to_user_id: stranger.userUuid }
  for (const kind of ['links', 'requests', 'nominations', 'exams']) {
    expect((await handOver(userUuid, kind, to)).body).toMatchObject({ count: 0, left: 1 })
  }
})

describe('is refused', () => {
  it('while the person works here', async () => {
    const present = await makeLeaver({ isGone: false })
    const { body } = await handOver(present.userUuid, 'studies')
    expect(body).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'STILL_ACTIVE' })
    expect(await holdingsOf(present.userUuid)).toMatchObject({ studies: 1 })
  })

  it('where the order makes no sense, or names nobody who could take over', async () => {
    const { userUuid } = await makeLeaver()
    const typeOf = async (kind: string, more: object) => (await handOver(userUuid, kind, more)).body.error_type
    expect(await typeOf('studies', {})).toBe('INVALID_PARAMETERS')
    expect(await typeOf('studies', { to_user_id: taker.userUuid, end: 1 })).toBe('INVALID_PARAMETERS')
    expect(await typeOf('keys', { to_user_id: taker.userUuid })).toBe('INVALID_PARAMETERS')
    expect(await typeOf('nominations', { end: 1 })).toBe('INVALID_PARAMETERS')
    expect(await typeOf('shoes', { end: 1 })).toBe('INVALID_TYPE')
    expect(await typeOf('studies', { to_user_id: userUuid })).toBe('USER_NOT_FOUND')
    const other = await (await makeOrganisation(services.db)).addPerson()
    expect(await typeOf('studies', { to_user_id: other.userUuid })).toBe('USER_NOT_FOUND')
    expect((await handOver(other.userUuid, 'studies')).body.error_type).toBe('USER_NOT_FOUND')
    expect(await holdingsOf(userUuid)).toEqual(one)
  })

  it('for those who do not administer the organisation', async () => {
    const { userUuid } = await makeLeaver()
    for (const path of ['account/user/holdings', 'account/user/leavers', 'account/user/hand/over']) {
      const sent = { uuid: accountUuid, user_id: userUuid, kind: 'studies', to_user_id: taker.userUuid }
      expect((await call(path, { ...sent, sid: taker.sid })).body.error_type).toBe('NOT_PERMITTED')
      expect((await call(path, sent)).status).toBe(401)
    }
  })
})

describe('on record', () => {
  interface Told {
    action: string
    type: string
    what: string
    object_name: string
    detail: Record<string, unknown>
  }
  /** Rows of the audit since the one of a number, the oldest first. */
  const rowsAfter = async (last: number): Promise<Told[]> =>
    (await call('audit/account', { sid: administrator.sid, account_id: accountUuid, 'page.rows': 50 })).body.events
      .filter((one: { uuid: string }) => Number(one.uuid) > last)
      .toReversed()
  const lastRow = async () => Number((await query<{ id: string }>(`select max(id) as id from audit`))[0]?.id)
  const wordsOf = ({ action, type, object_name: name }: Told) => `${action} ${type} ${name}`.trim()
  const endable = ['rules', 'searches', 'keys'] as const
  const rowOf = { rules: 'DELETE Route To the ward', searches: 'DELETE Filter Chest', keys: 'KEY_END Session Nightly' }

  it.each(endable)('each of the %s that ended, by its name, beside the person who had them', async (kind) => {
    const { userUuid, name } = await makeLeaver({ isGone: false })
    await call('user/enable', { sid: administrator.sid, uuid: userUuid, disable: 1 })
    await addKey(userUuid)
    const last = await lastRow()
    await handOver(userUuid, kind, { end: 1 })
    expect((await rowsAfter(last)).map(wordsOf)).toEqual([rowOf[kind], `EDIT User ${name}`])
  })

  it('each thing that was handed over, with the names of both', async () => {
    const { userUuid, name, shared } = await makeLeaver()
    const last = await lastRow()
    for (const kind of ['rules', 'searches', 'links', 'requests', 'nominations', 'exams'])
      await handOver(userUuid, kind)
    const rows = (await rowsAfter(last)).filter(({ type }) => type !== 'User')
    expect(rows.map(wordsOf)).toEqual([
      'EDIT Route To the ward',
      'EDIT Filter Chest',
      'EDIT Link',
      expect.stringMatching(/^EDIT Link ./),
      'EDIT Study',
      'EDIT Study',
    ])
    expect(rows.map(({ detail }) => detail['in_charge'])).toEqual(rows.map(() => [name, taker.name]))
    expect(rows.filter(({ type }) => type === 'Study').map(({ what }) => what)).toEqual([shared.uuid, shared.uuid])
  })

  it('an exam in progress that is new again', async () => {
    const { userUuid, name, shared } = await makeLeaver()
    const last = await lastRow()
    await handOver(userUuid, 'exams', { end: 1 })
    const [exam] = await rowsAfter(last)
    expect(exam).toMatchObject({ action: 'EDIT', type: 'Study', what: shared.uuid, detail: { in_charge: [name, ''] } })
  })
})

it('ends a rule so that a page that was read before cannot write over the end', async () => {
  const { userUuid } = await makeLeaver()
  const versions = () =>
    query<{ v: number }>(`select row_version as v from routing_rule where saved_by = '${userUuid}'`)
  const [before] = await versions()
  await handOver(userUuid, 'rules', { end: 1 })
  expect(await versions()).toEqual([{ v: (before?.v ?? 0) + 1 }])
})

/**
 * Every column that can name a person, and how a leaver's rows are dealt with: the kind under which they are handed over,
 * or why nothing has to be.
 */
const dealtWith: Readonly<Record<string, (typeof holdingKinds)[number] | `: ${string}`>> = {
  'link.created_by': 'links',
  'saved_search.owner_uuid': 'searches',
  'routing_rule.saved_by': 'rules',
  'nomination.submitted_by': 'nominations',
  'study.taken_by': 'exams',
  'namespace.owner_uuid': 'studies',
  'session.user_uuid': 'keys',
  ...fromEntries(': who did what, kept as it was', [
    'access_refusal.user_uuid',
    'account_connection.asked_by',
    'account_text.by_user',
    'attachment.stored_by',
    'audit.actor',
    'audit_default.actor',
    'audit_check.user_uuid',
    'deleted_instance.deleted_by',
    'nameless_copy.user_uuid',
    'separation.undone_by',
    'separation.user_uuid',
    'session.proxy_by',
    'nomination.asked_by',
    'nomination.decided_by',
    'patient_hold.by_user',
    'push.user_uuid',
    'retraction.by_user',
    'retraction.undone_by',
    'route_run.by_user',
    'share.ended_by',
    'study.created_by',
    'study.deleted_by',
    'study_timing.by_user',
    'webhook_delivery.said_by',
    'work.cancelled_by',
  ]),
  ...fromEntries(': of the login alone, and of no use to anybody else', [
    'account_user.user_uuid',
    'event_choice.user_uuid',
    'group_user.user_uuid',
    'listed_person.user_uuid',
    'password_history.user_uuid',
    'password_reset.user_uuid',
    'recovery_code.user_uuid',
    'remembered_device.user_uuid',
    'study_read.user_uuid',
    'study_star.user_uuid',
    'two_factor.user_uuid',
    'user_identity.user_uuid',
  ]),
  ...fromEntries(': over within minutes or a day', [
    'answered_act.user_uuid',
    'destination_search.user_uuid',
    'job.user_uuid',
    'late_arrival.actor',
    'report.user_uuid',
    'retrieval.user_uuid',
    'retrieval_asker.user_uuid',
    'study_lock.user_uuid',
  ]),
  ...fromEntries(': goes on without its maker; a share that waits is checked again when its time comes', [
    'share.by_user',
    'work.user_uuid',
  ]),
}

function fromEntries(reason: `: ${string}`, columns: readonly string[]): Record<string, `: ${string}`> {
  return Object.fromEntries(columns.map((name) => [name, reason]))
}

it('deals with every column that names a person', async () => {
  const columns = await query<{ name: string }>(`
    select c.relname || '.' || a.attname as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'uuid'::regtype
      and (a.attname ~ '(^|_)(user|owner|person|actor)(_|$)|_by(_|$)|^by_'
        or exists (
          select
          from pg_constraint k
          where k.contype = 'f' and k.confrelid = 'app_user'::regclass
            and k.conrelid = c.oid and a.attnum = any(k.conkey)
        ))
    order by 1`)
  const found = columns.map(({ name }) => name)
  expect(found.filter((name) => !(name in dealtWith))).toEqual([])
  expect(Object.keys(dealtWith).filter((name) => !found.includes(name))).toEqual([])
  for (const kind of holdingKinds) {
    expect(['requests', ...Object.values(dealtWith)]).toContain(kind)
  }
})
