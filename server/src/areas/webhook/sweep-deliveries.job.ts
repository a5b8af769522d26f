import type { Services } from '../../services.ts'
import { deleteDeliveriesBefore } from '../telling/delivery.sql.ts'

const KEPT_DAYS = 90

/** Forgets what webhooks were told long ago, with the attempts. */
export async function sweepDeliveriesAt({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  await deleteDeliveriesBefore(db, new Date(now.getTime() - KEPT_DAYS * 24 * 3_600_000))
}
