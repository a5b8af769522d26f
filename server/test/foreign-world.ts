import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { makeDestination } from './make-destination.ts'
import { makeLink } from './make-link.ts'
import { type Group, makeOrganisation, makeStudy, type Organisation, type Person } from './make-organisation.ts'
import { makeSeparation } from './make-separation.ts'
import { makeWaitingReport } from './make-waiting-report.ts'
import type { RowKind } from './named-rows.ts'
import type { TestApp } from './test-app.ts'

/** A row that an asker is not to know of. */
export interface ForeignRow {
  state: string
  /** The value that names the row in a call. */
  value: string
}
export type Rows = { [Kind in RowKind]: readonly ForeignRow[] }

/** A word that stands in the texts of a foreign group and nowhere else. */
export const foreignWord = 'Zyxomma'
/** A word that stands in the texts of the group's account, which its other members may read, and nowhere else. */
export const accountWord = 'Quixolet'

export interface ForeignWorld {
  group: Group
  owner: Person
  rows: Rows
  /** Texts that tell of the world to whoever reads them. */
  secrets: readonly string[]
  /** A digest of every row of the database that belongs to the world, by table. */
  contents: () => Promise<Record<string, string>>
}

/** A group with one row of each kind and state, and the person who owns them. */
export async function makeForeignWorld(app: TestApp, organisation: Organisation): Promise<ForeignWorld> {
  const { query } = app
  const { accountUuid } = organisation
  const group = await organisation.addGroup({ name: `${foreignWord} group` })
  const owner = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const studies = await makeStatedStudies(app, { ...group, accountUuid })
  const [live] = studies
  await query(`update study set tags = array['${foreignWord}'] where uuid = '${live?.uuid}'`)
  const [order, customfield, role, jobId, work, rule, webhook, delivery, connection, location, step, run] = Array.from(
    { length: 12 },
    () => randomUUID(),
  )
  await query(`insert into imaging_order (account_uuid, uuid, patient_name, search)
    values ('${accountUuid}', '${order}', '${accountWord.toUpperCase()}^ORDERED', '${accountWord.toLowerCase()} ordered')`)
  await query(
    `insert into order_step (account_uuid, order_uuid, uuid) values ('${accountUuid}', '${order}', '${step}')`,
  )
  await query(`insert into customfield (uuid, account_uuid, name, object, type)
    values ('${customfield}', '${accountUuid}', '${accountWord} field', 'Study', 'text')`)
  await query(`insert into role (uuid, account_uuid, name, permissions)
    values ('${role}', '${accountUuid}', '${accountWord} role', '{study_view}')`)
  await query(`insert into app_group (uuid, kind, account_uuid, name, namespace_uuid, designation)
    values ('${location}', 'location', '${accountUuid}', '${foreignWord} location', gen_random_uuid(), 'CLOUD')`)
  await query(`insert into job (user_uuid, namespace_uuid, job_id)
    values ('${owner.userUuid}', '${group.namespaceUuid}', '${jobId}')`)
  await query(`insert into work (uuid, job, payload, lane, run_at, user_uuid, account_uuid)
    values ('${work}', '${foreignWord}', '{}', '${work}', now() + interval '1 day', '${owner.userUuid}', '${accountUuid}')`)
  const partner = await makeOrganisation(app.services.db, { name: `${accountWord} partner` })
  await query(`insert into account_connection (uuid, asking_account, asked_account)
    values ('${connection}', '${accountUuid}', '${partner.accountUuid}')`)
  const mail = randomUUID()
  await query(`insert into mail (uuid, account_uuid, recipient, subject, body)
    values ('${mail}', '${accountUuid}', 'x@hospital.example', '${accountWord}', '${accountWord}')`)
  await query(`insert into routing_rule (uuid, account_uuid, namespace_uuid, name, sequence, saved_by)
    values ('${rule}', '${accountUuid}', '${group.namespaceUuid}', '${accountWord} rule', 1, '${owner.userUuid}')`)
  await query(`insert into route_run (uuid, rule_uuid, account_uuid, phi_namespace, study_uuid, trigger, occasion, state)
    values ('${run}', '${rule}', '${accountUuid}', '${group.namespaceUuid}', '${live?.uuid}', 'upload', 'first', 'failed')`)
  await query(`insert into webhook (uuid, account_uuid, name, event, url, method, sealed_secret)
    values ('${webhook}', '${accountUuid}', '${accountWord} hook', 'ROUTE_RULE', 'https://x.example/', 'GET', '')`)
  await query(`insert into webhook_delivery (uuid, webhook_uuid, event, state)
    values ('${delivery}', '${webhook}', 'TEST', 'failed')`)
  const identityProvider = randomUUID()
  await query(`insert into identity_provider (uuid, account_uuid, is_on, button, issuer, client_id, sealed_secret, scopes,
      email_claim, first_claim, last_claim, groups_claim, domains, creates_people, sso_only, trusts_second_factor, acr_values)
    values ('${identityProvider}', '${accountUuid}', true, '${accountWord} login', 'https://id.example/', 'hilum', '', 'openid',
      'email', '', '', '', '{}', false, false, false, '')`)
  const key = randomUUID()
  await query(`insert into session (uuid, sid_digest, user_uuid, method, strength, name, scope, idle_minutes, expires_at)
    values ('${key}', sha256('${key}'), '${owner.userUuid}', 'key', 'key', '${foreignWord}', '{study_view}', 1440, now() + interval '1 day')`)
  const destination = await makeDestination(app, accountUuid, { name: `${accountWord} peer`, title: 'FOREIGN' })
  const destinationSearch = randomUUID()
  await query(`insert into destination_search (uuid, account_uuid, destination_uuid, user_uuid, phi_namespace, criteria, state,
      results)
    values ('${destinationSearch}', '${accountUuid}', '${destination.uuid}', '${owner.userUuid}', '${group.namespaceUuid}',
      '{}', 'done', '[{"study_uid": "1.2.3", "patient_name": "${foreignWord.toUpperCase()}"}]')`)
  const link = await makeLink(app.services.db, {
    accountUuid,
    createdBy: owner.userUuid,
    studies: [{ phi_namespace: group.namespaceUuid, uuid: live?.uuid ?? '' }],
  })
  const [device] = await query<{ uuid: string }>(`insert into remembered_device
    (uuid, digest, user_uuid, client_address, user_agent, expires_at)
    values (gen_random_uuid(), decode(md5(random()::text), 'hex'), '${owner.userUuid}', '', '', now() + interval '1 day')
    returning uuid`)
  const [session] = await query<{ uuid: string }>(
    `select uuid from session where user_uuid = '${owner.userUuid}' and method <> 'key'`,
  )
  const share = randomUUID()
  await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state, by_user)
    values ('${share}', '${group.namespaceUuid}', '${live?.uuid}', 'account', '${partner.accountUuid}', 'scheduled', '${owner.userUuid}')`)
  const separation = await makeSeparation(app, live?.uuid ?? '', owner.userUuid)
  const searches = [await addSearch(app, owner), await addSearch(app, owner, group.namespaceUuid)]
  const report = await makeWaitingReport(app, { ...group, accountUuid }, { name: `${foreignWord.toUpperCase()}^ANN` })
  const file = randomUUID()
  await query(`insert into report (uuid, user_uuid, account_uuid, namespace_uuid, act, name, csv)
    values ('${file}', '${owner.userUuid}', '${accountUuid}', '${group.namespaceUuid}', 'viewStudy', 'studies', '')`)
  const named = (state: string, value: string | undefined): ForeignRow => ({ state, value: value ?? '' })
  const rows: Rows = {
    account: [named('account', accountUuid)],
    connection: [named('connection', connection)],
    customfield: [named('custom field', customfield)],
    destination: [named('destination', destination.uuid)],
    destinationSearch: [named('search at a destination', destinationSearch)],
    delivery: [named('delivery', delivery)],
    group: [named('group', group.groupUuid)],
    identityProvider: [named('provider of identities', identityProvider)],
    job: [named('job', jobId)],
    key: [named('key', key)],
    link: [named('link', link)],
    location: [named('location', location)],
    mail: [named('mail', mail)],
    namespace: [
      named('namespace of a group', group.namespaceUuid),
      named('namespace of a person', owner.namespaceUuid),
      named('namespace of an account', organisation.namespaceUuid),
    ],
    node: [named('node', destination.nodeUuid)],
    order: [named('order', order)],
    orderStep: [named('step of an order', step)],
    report: [named('report as a file', file)],
    role: [named('role', role)],
    route: [named('routing rule', rule)],
    routeRun: [named('run of a routing rule', run)],
    device: [named('remembered_device', device?.uuid)],
    session: [named('session', session?.uuid)],
    separation: [named('separation', separation)],
    share: [named('share', share)],
    search: [named('own search', searches[0]), named('search of a group', searches[1])],
    study: studies.map(({ state, uuid }) => named(state, uuid)),
    studyUid: studies.map(({ state, study_uid }) => named(state, study_uid)),
    user: [named('user', owner.userUuid)],
    waitingReport: [named('report that waits', report)],
    webhook: [named('webhook', webhook)],
    work: [named('work', work)],
  }
  const ids = Object.values(rows).flatMap((one) => one.map(({ value }) => value))
  return {
    group,
    owner,
    rows,
    secrets: [...wordsIn(foreignWord), ...wordsIn(accountWord), owner.email, ...ids],
    // a UID may stand in another namespace too, an account and its node in the rows of its other members
    contents: () =>
      contentsOf(
        app,
        ids.filter((id) => id !== accountUuid && id !== destination.nodeUuid && !id.startsWith('2.25.')),
      ),
  }
}

/** A word as names and descriptions write it. */
const wordsIn = (word: string) => [word, word.toUpperCase()]

/** A study in each state that hides one from most of its group. */
export async function makeStatedStudies(
  { services, query }: TestApp,
  place: { namespaceUuid: string; accountUuid: string },
  states: readonly ('live' | 'waiting' | 'deleted')[] = ['live', 'waiting', 'deleted'],
): Promise<{ state: string; uuid: string; study_uid: string }[]> {
  const studies = []
  for (const state of states) {
    const fields = { patient_name: `${foreignWord.toUpperCase()}^${state}`, must_approve: state === 'waiting' }
    const study = await makeStudy(services.db, place, fields)
    if (state === 'deleted') await query(`update study set deleted_at = now() where uuid = '${study.uuid}'`)
    studies.push({ state, ...study })
  }
  return studies
}

async function addSearch({ call }: TestApp, { sid }: Person, namespaceUuid?: string): Promise<string> {
  const configuration = { 'patient_name.like': `${foreignWord}%` }
  const place = namespaceUuid ? { namespace_id: namespaceUuid } : {}
  const { body } = await call('filter/add', { sid, name: foreignWord, type: 'Study', configuration, ...place })
  if (body.status !== 'OK') throw new Error(`The search was not saved: ${JSON.stringify(body)}`)
  return body.uuid
}

/** Tables of a foreign world that a request may change: when a session was used, and what was refused, which the audit tells too. */
const changing = new Set(['session', 'access_refusal', 'audit_seal', 'audit_seal_row'])

async function contentsOf({ services, query }: TestApp, ids: readonly string[]): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables.filter((one) => !changing.has(one.name))) {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest
      from ${sql.table(name)} t
      where t::text !~ 'ACCESS_REFUSED' and t::text ~ ${ids.join('|')}
    `.execute(services.db)
    contents[name] = rows[0]?.digest ?? ''
  }
  return contents
}
