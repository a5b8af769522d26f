import type { Services } from '../../services.ts'
import { deleteOldRefusals } from './refusal.sql.ts'

export async function sweepRefusals({ db }: Pick<Services, 'db'>): Promise<void> {
  await deleteOldRefusals(db)
}
