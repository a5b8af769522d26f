/** The part of a `pg` Client or Pool that this check needs. */
type Queryable = { query(text: string): Promise<{ rows: Record<string, unknown>[] }> }

const oldestVersion = 150_000

/**
 * Refuses a database on which Hilum would work wrongly or slowly: older than 15, not UTF-8, or without trigrams
 * of letters beyond ASCII. With LC_CTYPE=C, É and 山田 give none, and every search for such a name reads the whole table.
 * Creates the extension pg_trgm when it is missing.
 * @throws Error in words for the person who runs the installation
 */
export async function assertDatabaseFits(client: Queryable): Promise<void> {
  const facts = await client
    .query(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
    )
    .catch((cause: unknown) => {
      throw new Error(`The database cannot be reached: ${wordsOf(cause)}.`, { cause })
    })
  const { version, encoding } = facts.rows[0] ?? {}
  if (Number(version) < oldestVersion) throw new Error('The database is too old: Hilum needs PostgreSQL 15 or later.')
  if (encoding !== 'UTF8')
    throw new Error(`The database is encoded in ${String(encoding)}: Hilum needs one made with encoding UTF8.`)

  try {
    await client.query('create extension if not exists pg_trgm')
  } catch (error) {
    throw new Error(
      'The database lacks the extension pg_trgm, and this user may not create it: create it as the owner of the database.',
      { cause: error },
    )
  }
  const trigrams = await client.query(
    `select name from unnest(array['É', '山田']) name where cardinality(show_trgm(name)) = 0`,
  )
  if (trigrams.rows.length > 0) {
    const names = trigrams.rows.map((row) => String(row['name'])).join(' and ')
    throw new Error(
      `The database does not take ${names} for letters, so names could not be searched. Create it with a UTF-8 locale, e.g. LC_CTYPE 'C.UTF-8'.`,
    )
  }
}

/** A host name with several addresses fails once for each, and the whole has no message. */
function wordsOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(wordsOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
