import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import type { Run } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { listSeriesToWriteAhead } from '../storage/ahead.sql.ts'
import { originAhead, prepareMetadata } from './study-metadata.command.ts'

/**
 * Writes the metadata of a record that settled, so that the first opening of a series costs what the second does. Where
 * the room on the disk is running out nothing is written ahead. Whatever is missing is written when somebody asks.
 */
export async function writeMetadata(
  services: Services,
  { studyUuid }: PayloadOf<'writeMetadata'>,
  { signal }: Run,
): Promise<void> {
  const { db, disk, config } = services
  for (const seriesUid of await listSeriesToWriteAhead(db, studyUuid)) {
    signal.throwIfAborted()
    // record and disk may have changed while the series before was written
    const record = await findRecordByUuid(db, studyUuid)
    if (!record || record.deleted || (await disk.look()).level !== 'ample') return
    await prepareMetadata(services, record, seriesUid, originAhead(config), { isAhead: true })
  }
}
