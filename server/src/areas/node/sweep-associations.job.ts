import type { Services } from '../../services.ts'
import { deleteAssociationsBefore } from './node.sql.ts'

const KEPT_DAYS = 90

/** What came in stays in the audit; the reports of transfers are for finding out why something did not. */
export function sweepAssociations({ db }: Pick<Services, 'db'>): Promise<void> {
  return deleteAssociationsBefore(db, new Date(Date.now() - KEPT_DAYS * 86_400_000))
}
