import type { Job } from '../job.ts'
import { deleteAssociationsBefore } from './node.sql.ts'

const KEPT_DAYS = 90

/** What came in stays in the audit; the reports of transfers are for finding out why something did not. */
export const sweepAssociations: Job<object> = {
  name: 'sweep-dicom-associations',
  schedule: '41 3 * * *',
  retries: 2,
  expireSeconds: 300,
  run: async ({ db }) => deleteAssociationsBefore(db, new Date(Date.now() - KEPT_DAYS * 86_400_000)),
}
