import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import { type HilumServer, startHilum } from './hilum-server.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { byEachCondition, narrowedBy, ordersOf, type PeopleList, peopleLists } from './people-questions.ts'
import { milliseconds, percentile } from './statistics.ts'

const PEOPLE = 100_000
const IN_GROUP = 50_000
const CHANGED = 20_000
const ASKED = 40
const WARM_UP = 5
/** Rounds of each question that the contract gives, of which there are hundreds. */
const PROBED = 3
/** The slowest of a line by these rounds are asked as often as all others. */
const SLOWEST = 3
const ROWS = 10

type Input = Record<string, unknown>
type Question = { what: string; path: string; input: (round: number) => Input }
type Place = { account: string; group: string; role: string; person: string }

/** The questions of the grids of people, asked over HTTP, in an organisation of 100,000. */
export const peopleSearch: LoneMeasurement = { name: 'people-search', title: 'Finding people among many', run }

async function run(folder: string): Promise<Report> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const database = await startEmbeddedPostgres(join(folder, 'postgres'))
  try {
    const hilum = await startHilum(join(folder, 'hilum'), database)
    try {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      try {
        return await measure(hilum, client)
      } finally {
        await client.end()
      }
    } finally {
      await hilum.stop()
    }
  } finally {
    await database.stop()
  }
}

async function measure(hilum: HilumServer, client: pg.Client): Promise<Report> {
  const changes: string[][] = []
  const place = await fillPeople(client, changes)
  const report = await askAll(hilum, place)
  await changeMany(client, place, changes)
  return { ...report, table: [...report.table, ...changes] }
}

/** Made-up people of the one account, half of them in its one group. */
async function fillPeople(client: pg.Client, changes: string[][]): Promise<Place> {
  await client.query('set statement_timeout = 0')
  const { rows } = await client.query<Omit<Place, 'person'>>(`
    select a.uuid as account, g.uuid as "group", a.default_role_uuid as role
    from account a
    join app_group g on g.account_uuid = a.uuid`)
  const [place] = rows
  if (!place) throw new Error('The installation has no group')
  await client.query(`
    create temporary table made as
    select n, gen_random_uuid() as uuid, gen_random_uuid() as namespace_uuid,
      (array['Amara', 'Bo', 'Carla', 'Dagny', 'Elif', 'Femi', 'Goran', 'Hanna', 'Ines', 'Jonas'])[1 + n % 10] as first_name,
      initcap(translate(to_char(n * 7919 % ${PEOPLE}, 'FM00000'), '0123456789', 'aeioulmnrst')) as last_name
    from generate_series(1, ${PEOPLE}) as n`)
  await client.query(`
    insert into app_user (uuid, email, email_folded, first_name, last_name, password_hash, namespace_uuid, last_login, disabled)
    select uuid, 'p' || n || '@hospital.example', 'p' || n || '@hospital.example', first_name, last_name, '', namespace_uuid,
      case when n % 3 > 0 then now() - make_interval(secs => n) end, n % 50 = 0
    from made`)
  await client.query(`
    insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
    select namespace_uuid, 'user', uuid, '${place.account}', first_name || ' ' || last_name
    from made`)
  const come = `
    insert into account_user (account_uuid, user_uuid, role_uuid, account_login)
    select '${place.account}', uuid,
      case when n % 10 = 0 then roles.others[1 + n / 10 % cardinality(roles.others)] else '${place.role}' end,
      case when n % 2 = 0 then lower(last_name) || n else '' end
    from made, (
      select array_agg(uuid order by name) as others from role where account_uuid = '${place.account}' and uuid <> '${place.role}'
    ) roles`
  changes.push(await timed(client, PEOPLE, 'come into the organisation', come))
  const join = `
    insert into group_user (group_uuid, user_uuid)
    select '${place.group}', uuid
    from made
    where n <= ${IN_GROUP}`
  changes.push(await timed(client, IN_GROUP, 'come into a group', join))
  await client.query('vacuum analyze')
  const { rows: people } = await client.query<{ uuid: string }>('select uuid from made where n = 7')
  return { ...place, person: people[0]?.uuid ?? '' }
}

/** One act on many people, with its commit, at which the lists of people follow. */
async function timed(client: pg.Client, count: number, what: string, statement: string): Promise<string[]> {
  const start = performance.now()
  await client.query(statement)
  const took = milliseconds(performance.now() - start)
  return [`${count.toLocaleString('en')} people ${what} at once`, took, String(count), '–']
}

/** Changes of many people after the questions, since pages are asked of the people who were filled in. */
async function changeMany(client: pg.Client, { group }: Place, changes: string[][]): Promise<void> {
  const some = `select uuid from made where n <= ${CHANGED}`
  const rename = `update app_user set last_name = last_name || 'x' where uuid in (${some})`
  changes.push(await timed(client, CHANGED, 'are renamed', rename))
  const leave = `delete from group_user where group_uuid = '${group}' and user_uuid in (${some})`
  changes.push(await timed(client, CHANGED, 'leave a group', leave))
}

async function askAll(hilum: HilumServer, place: Place): Promise<Report> {
  const rows: string[][] = []
  for (const { what, path, input } of questionsAbout(place)) {
    const ms: number[] = []
    let found = 0
    for (let round = 0; round < ASKED + WARM_UP; round++) {
      const start = performance.now()
      const answer = await hilum.call(path, { sid: hilum.sid, ...input(round) })
      if (round < WARM_UP) continue
      ms.push(performance.now() - start)
      found += (answer['users'] as unknown[]).length
    }
    rows.push(line(what, ms, Math.round(found / ASKED)))
  }
  for (const list of peopleLists(place)) rows.push(...(await askByContract(hilum, list, place)))
  return {
    table: [['question', 'median / p95', 'found', 'goal'], ...rows],
    notes: [
      `${PEOPLE.toLocaleString('en')} people of one organisation, ${IN_GROUP.toLocaleString('en')} of them in its group, a tenth of all in other roles than the one of most. ${ASKED} questions of each kind, one after the other, over HTTP with session and rights, with the number of all that are found.`,
      `Lines with "slowest of" take their orders, filters and conditions from the contract, so that a new one is asked too: each order with its first, middle and last page, each filter in each order with its first and last page, each condition by name. Each is asked ${PROBED} times, the slowest ${SLOWEST} of a line ${ASKED} times, and the line shows the one of these with the highest p95.`,
      'The rows are made up and copied in, then analysed; PostgreSQL runs as the product starts it.',
    ],
  }
}

function line(what: string, ms: readonly number[], found: number): string[] {
  return [
    what,
    `${milliseconds(percentile(ms, 0.5))} / ${milliseconds(percentile(ms, 0.95))}`,
    String(found),
    'p95 ≤ 50 ms',
  ]
}

/** A question of a page, and how long its first rounds took. */
type Probed = { what: string; total: number; probe: number[]; ask: (rounds: number) => Promise<number[]> }

/** One line for each order and each filter of a list, and for the conditions of each. */
async function askByContract(hilum: HilumServer, { name, path, uuid, list }: PeopleList, place: Place) {
  const byName = ['user_name-asc']
  const lines: string[][] = []
  const ask = (input: Input, sorts: readonly string[], pages: readonly number[]) =>
    askEach(hilum, path, { uuid, ...input }, sorts, pages)
  for (const sort of ordersOf(list)) {
    lines.push(await slowest(`${name} by ${sort}`, await ask({}, [sort], [0, 0.5, 1])))
  }
  for (const { what, inputs } of narrowedBy(list, place)) {
    const probed: Probed[] = []
    for (const input of inputs) probed.push(...(await ask(input, ordersOf(list), [0, 1])))
    lines.push(await slowest(`${name} found by ${what}`, probed))
  }
  for (const { what, inputs } of byEachCondition(list, place)) {
    const probed: Probed[] = []
    for (const input of inputs) probed.push(...(await ask(input, byName, [0, 1])))
    lines.push(await slowest(`${name}, each condition of ${what}`, probed))
  }
  return lines
}

/** Asks for pages of what is found: at 0 the first one, at 1 the last. */
async function askEach(
  hilum: HilumServer,
  path: string,
  input: Input,
  sorts: readonly string[],
  pages: readonly number[],
): Promise<Probed[]> {
  const probed: Probed[] = []
  for (const sort_by of sorts) {
    const { page } = await hilum.call(path, { sid: hilum.sid, ...input, sort_by, 'page.rows': ROWS })
    const { total } = page as { total: number }
    const last = Math.max(1, Math.ceil(total / ROWS))
    for (const number of new Set(pages.map((share) => Math.max(1, Math.round(share * last))))) {
      const asked = { sid: hilum.sid, ...input, sort_by, 'page.rows': ROWS, 'page.number': number }
      const ask = (rounds: number) => timesOf(rounds, () => hilum.call(path, asked))
      const named = Object.entries(input).filter(([key]) => key.startsWith('filter.'))
      const filters = named.map(([key, value]) => `${key.slice('filter.'.length)} ${wordOf(value)}`)
      const what = [...filters, sort_by, `page ${number} of ${last}`].join(', ')
      probed.push({ what, total, probe: await ask(PROBED), ask })
    }
  }
  return probed
}

/** Milliseconds of each round, the first of which comes after one that is not counted. */
async function timesOf(rounds: number, act: () => Promise<unknown>): Promise<number[]> {
  const ms: number[] = []
  for (let round = -1; round < rounds; round++) {
    const start = performance.now()
    await act()
    if (round >= 0) ms.push(performance.now() - start)
  }
  return ms
}

/** A value as results show it: uuids differ each time. */
function wordOf(value: unknown): string {
  return String(value).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
}

async function slowest(what: string, probed: readonly Probed[]): Promise<string[]> {
  const suspects = probed.toSorted((a, b) => percentile(b.probe, 0.5) - percentile(a.probe, 0.5)).slice(0, SLOWEST)
  const measured: (Probed & { ms: number[] })[] = []
  for (const suspect of suspects) measured.push({ ...suspect, ms: await suspect.ask(ASKED) })
  const [worst] = measured.toSorted((a, b) => percentile(b.ms, 0.95) - percentile(a.ms, 0.95))
  if (!worst) return [what, '–', '0', 'p95 ≤ 50 ms']
  return line(`${what}, slowest of ${probed.length}: ${worst.what}`, worst.ms, worst.total)
}

function questionsAbout({ account, group, role }: Place): Question[] {
  const page = { 'page.rows': 10, sort_by: 'user_name-asc' }
  const people = (what: string, input: Question['input']): Question => ({
    what,
    path: 'account/user/list',
    input: (round) => ({ uuid: account, ...page, ...input(round) }),
  })
  const letters = ['ae', 'li', 'um', 'os', 'ri']
  return [
    people('first page by name', () => ({})),
    people('a page in the middle', (round) => ({ 'page.number': 5000 + round })),
    people('the last page', () => ({ 'page.number': 10_000 })),
    people('100 rows, page 500', () => ({ 'page.rows': 100, 'page.number': 500 })),
    people('by name, from the end', () => ({ sort_by: 'user_name-desc' })),
    people('by e-mail address', (round) => ({ sort_by: 'user_email-asc', 'page.number': 1 + round * 100 })),
    people('by last sign-in', () => ({ sort_by: 'last_login-desc' })),
    people('part of a name', (round) => ({
      'filter.user_name.like': `%${letters[round % 5]}${letters[(round + 1) % 5]}%`,
    })),
    people('a common first name', () => ({ 'filter.user_name.like': '%amara%' })),
    people('a name that nobody has', (round) => ({ 'filter.user_name.like': `%xq${round}z%` })),
    people('an e-mail address', (round) => ({ 'filter.user_email.like': `%p${round * 1000 + 1}@%` })),
    people('part of a first name', (round) => ({ 'filter.user.first.like': `%${letters[round % 5]}%` })),
    people('the start of a last name', (round) => ({ 'filter.user.last.like': `${letters[round % 5]}%` })),
    people('disabled people', () => ({ 'filter.user_disabled.equals': 1 })),
    people('who is not disabled, in the middle', (round) => ({
      'filter.user_disabled.equals': 0,
      'page.number': 4000 + round,
    })),
    people('everybody in a role', () => ({ 'filter.role_id.equals': role })),
    people('everybody in a role, in the middle', (round) => ({
      'filter.role_id.equals': role,
      'page.number': 5000 + round,
    })),
    people('by role, in the middle', (round) => ({ sort_by: 'role_name-asc', 'page.number': 5000 + round })),
    people('by last sign-in, in the middle', (round) => ({ sort_by: 'last_login-desc', 'page.number': 5000 + round })),
    { what: 'members of a group', path: 'group/user/list', input: () => ({ uuid: group, ...page }) },
    {
      what: 'members of a group by part of a name',
      path: 'group/user/list',
      input: (round) => ({ uuid: group, ...page, 'filter.user_name.like': `%${letters[round % 5]}%` }),
    },
    { what: 'people who have a role', path: 'role/user/list', input: () => ({ uuid: role, ...page }) },
  ]
}
