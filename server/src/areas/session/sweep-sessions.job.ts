import type { Services } from '../../services.ts'
import { deleteDeadSessions } from './session-sweep.sql.ts'

export function sweepSessions({ db }: Pick<Services, 'db'>): Promise<void> {
  return deleteDeadSessions(db)
}
