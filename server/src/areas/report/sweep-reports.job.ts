import type { Services } from '../../services.ts'
import { deleteOldReports } from './report.sql.ts'

export async function sweepReports({ db }: Pick<Services, 'db'>): Promise<void> {
  await deleteOldReports(db)
}
