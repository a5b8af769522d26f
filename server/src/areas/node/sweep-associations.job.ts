import type { Services } from '../../services.ts'
import { deleteAssociationsBefore } from './node.sql.ts'

const STORED_DAYS = 90

/** Reports of transfers help to find out why something did not come in; the audit keeps what came. */
export function sweepAssociations({ db }: Pick<Services, 'db'>): Promise<void> {
  return deleteAssociationsBefore(db, new Date(Date.now() - STORED_DAYS * 86_400_000))
}
