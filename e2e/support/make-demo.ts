import { join } from 'node:path'
import { findEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type RunningServer, startServer } from './start-server.ts'

declare module 'vitest' {
  // Vitest asks for an interface here: declarations of all test set-ups merge into it.
  interface ProvidedContext {
    /** Data folder with the demo organisation, of a server that has stopped. */
    demoFolder: string
  }
}

/** Makes the demo organisation once for all files: initdb, migrations and the demo's images take longer than a start. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  try {
    await spareTheDisk(server)
    await server.stop()
  } catch (error) {
    // no file has begun that would end the server
    await server.close()
    throw error
  }
  project.provide('demoFolder', server.dataFolder)
  return server.close
}

/** The data live for one file only: what costs is waiting for the disk. Kill runs and power cuts keep their own servers. */
async function spareTheDisk({ dataFolder }: RunningServer): Promise<void> {
  const client = new pg.Client({ connectionString: findEmbeddedPostgres(join(dataFolder, 'postgres')) })
  await client.connect()
  try {
    await client.query('alter system set fsync = off')
    await client.query('alter system set full_page_writes = off')
  } finally {
    await client.end()
  }
}
