import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** How long a notice may take from one connection to another; a database that is at hand needs milliseconds. */
const noticeMs = 10_000

const advice =
  'Name the address of PostgreSQL itself in DATABASE_URL: Hilum keeps few connections open and shares them out by itself.'

/**
 * Refuses a pooler between Hilum and the database, e.g. PgBouncer in transaction mode: one that gives each transaction
 * another connection loses notices (LISTEN), and with them every live event, and the settings of connections.
 * @param url of a database of somebody else's
 * @throws Error in words for the person who runs the installation
 */
export async function refusePooler(url: string): Promise<void> {
  const ear = new pg.Client({ connectionString: url, options: '-c hilum.said=yes' })
  try {
    await ear.connect()
  } catch (error) {
    // a database that cannot be reached is told of by whoever uses it first
    if (!isAboutOptions(error)) return
    throw new Error(`DATABASE_URL leads to a pooler that takes no settings. ${advice}`, { cause: error })
  }
  try {
    // options of the address itself go before those that are asked for here
    if (!new URL(url).searchParams.has('options')) await assertHearsSettings(ear)
    await assertHearsNotices(ear, url)
  } finally {
    await ear.end()
  }
}

async function assertHearsSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ said: string | null }>(`select current_setting('hilum.said', true) as said`)
  if (rows[0]?.said !== 'yes')
    throw new Error(`DATABASE_URL leads to a pooler that drops the settings of connections. ${advice}`)
}

/** @throws Error when a notice that another connection sends does not come to a connection that listens */
async function assertHearsNotices(ear: pg.Client, url: string): Promise<void> {
  const channel = `hilum_probe_${randomBytes(8).toString('hex')}`
  const heard = Promise.withResolvers<boolean>()
  ear.on('notification', (notice) => notice.channel === channel && heard.resolve(true))
  await ear.query(`listen ${channel}`)
  const timer = setTimeout(() => heard.resolve(false), noticeMs)
  const mouth = new pg.Client({ connectionString: url })
  try {
    await mouth.connect()
    await mouth.query(`notify ${channel}`)
    if (await heard.promise) return
  } finally {
    clearTimeout(timer)
    await mouth.end()
  }
  throw new Error(
    `DATABASE_URL leads to a pooler that gives each transaction another connection (PgBouncer: pool_mode), so that no process would hear of the others’ changes. ${advice}`,
  )
}

/** PgBouncer refuses `options` unless it is told to ignore them. */
function isAboutOptions(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}
