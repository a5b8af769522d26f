import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { removeCached } from '../../outbound/files/cached-file.ts'

type Place = { config: Pick<Config, 'dataFolder'> }
type RecordKey = { phi_namespace: string; uuid: string }

/** Where the metadata written ahead for a record lie. */
export function metadataFolder({ config }: Place, { phi_namespace, uuid }: RecordKey): string {
  return join(config.dataFolder, 'cache', 'metadata', phi_namespace, uuid)
}

/** Removes the metadata written ahead for a record; they are written again on demand. */
export async function forgetMetadata(place: Place, record: RecordKey): Promise<void> {
  await removeCached(metadataFolder(place, record))
}
