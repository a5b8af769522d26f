import type { Services } from '../../services.ts'
import { deleteOldEvents } from './event.sql.ts'

export function sweepEvents({ db }: Pick<Services, 'db'>): Promise<void> {
  return deleteOldEvents(db)
}
