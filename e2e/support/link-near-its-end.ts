import { join } from 'node:path'
import { findEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'

/** Makes a link one that was given four hours ago and ends in ten minutes, and has the server look for such links now. */
export async function bringNearItsEnd(dataFolder: string, email: string): Promise<void> {
  const client = new pg.Client({ connectionString: findEmbeddedPostgres(join(dataFolder, 'postgres')) })
  await client.connect()
  try {
    await client.query(
      `update link
       set created = now() - interval '4 hours', expires_at = now() + interval '10 minutes'
       where email = $1`,
      [email],
    )
    await client.query(`update work set run_at = now() where job = 'remind-of-short-links' and state = 'waiting'`)
  } finally {
    await client.end()
  }
}
