import type { ConnectionPool, PooledConnection } from '../db/database.ts'
import { copyOut } from '../db/copy.ts'
import { writeDurably } from './durable-files.ts'
import { type Manifest, partsOf } from './manifest.ts'
import {
  beginSnapshot,
  copyObjectsOut,
  copyTableOut,
  listSequences,
  listTables,
  sumObjects,
  type TableShape,
} from './tables.sql.ts'

type ExportedTables = Pick<Manifest, 'taken' | 'tables' | 'sequences'> & {
  objects: { count: number; bytes: number }
}

/**
 * Writes every table as of one moment, and the list of the objects that they speak of, while others go on writing.
 * @param listPath where the list of objects goes
 */
export async function exportTables(pool: ConnectionPool, folder: string, listPath: string): Promise<ExportedTables> {
  const client = await pool.connect()
  try {
    await beginSnapshot(client)
    const taken = new Date().toISOString()
    const tables: Manifest['tables'] = []
    for (const shape of await listTables(client)) tables.push(await exportTable(client, folder, shape))
    const objects = await sumObjects(client)
    await writeDurably(listPath, copyOut(client, copyObjectsOut))
    const sequences = await listSequences(client)
    await client.query('commit')
    client.release()
    return { taken, tables, sequences, objects }
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function exportTable(
  client: PooledConnection,
  folder: string,
  shape: TableShape,
): Promise<Manifest['tables'][number]> {
  let rows = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      // one line is one row: line breaks in values are written as \n
      for (const byte of chunk) if (byte === 10) rows += 1
      yield chunk
    }
  }
  const digest = await writeDurably(
    partsOf(folder).table(shape.name),
    counted(copyOut(client, copyTableOut(shape)) as AsyncIterable<Buffer>),
  )
  return { ...shape, rows, ...digest }
}
