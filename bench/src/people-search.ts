import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import { type HilumServer, startHilum } from './hilum-server.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { milliseconds, percentile } from './statistics.ts'

const PEOPLE = 100_000
const IN_GROUP = 50_000
const CHANGED = 20_000
const ASKED = 40
const WARM_UP = 5

type Input = Record<string, unknown>
type Question = { what: string; path: string; input: (round: number) => Input }
type Place = { account: string; group: string; role: string }

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
  const { rows } = await client.query<Place>(`
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
    insert into account_user (account_uuid, user_uuid, role_uuid)
    select '${place.account}', uuid, '${place.role}'
    from made`
  changes.push(await timed(client, PEOPLE, 'come into the organisation', come))
  const join = `
    insert into group_user (group_uuid, user_uuid)
    select '${place.group}', uuid
    from made
    where n <= ${IN_GROUP}`
  changes.push(await timed(client, IN_GROUP, 'come into a group', join))
  await client.query('vacuum analyze')
  return place
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
    const [median, most] = [percentile(ms, 0.5), percentile(ms, 0.95)]
    rows.push([
      what,
      `${milliseconds(median)} / ${milliseconds(most)}`,
      String(Math.round(found / ASKED)),
      'p95 ≤ 50 ms',
    ])
  }
  return {
    table: [['question', 'median / p95', 'found', 'goal'], ...rows],
    notes: [
      `${PEOPLE.toLocaleString('en')} people of one organisation, ${IN_GROUP.toLocaleString('en')} of them in its group. ${ASKED} questions of each kind, one after the other, over HTTP with session and rights, with the number of all that are found.`,
      'The rows are made up and copied in, then analysed; PostgreSQL runs as the product starts it.',
    ],
  }
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
