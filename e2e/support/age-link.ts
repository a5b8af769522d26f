import { join } from 'node:path'
import { findEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'

/** Makes a link one that was given four hours ago and ends in ten minutes, and has the server look for such links now. */
export async function bringNearItsEnd(dataFolder: string, email: string): Promise<void> {
  await onDatabase(dataFolder, async (client) => {
    await client.query(
      `update link
       set created = now() - interval '4 hours', expires_at = now() + interval '10 minutes'
       where email = $1`,
      [email],
    )
    await client.query(`update work set run_at = now() where job = 'remind-of-short-links' and state = 'waiting'`)
  })
}

/** Makes a link one whose end was a second ago. */
export async function bringPastItsEnd(dataFolder: string, uuid: string): Promise<void> {
  await onDatabase(dataFolder, (client) =>
    client.query(
      `update link set created = now() - interval '1 hour', expires_at = now() - interval '1 second' where uuid = $1`,
      [uuid],
    ),
  )
}

async function onDatabase(dataFolder: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: findEmbeddedPostgres(join(dataFolder, 'postgres')) })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
