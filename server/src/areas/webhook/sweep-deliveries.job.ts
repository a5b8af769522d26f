import type { Services } from '../../services.ts'
import { deleteDeliveriesBefore } from '../telling/delivery.sql.ts'

const STORED_DAYS = 90
/** Deliveries of one statement: a busy organisation has millions, which no statement deletes in its time. */
const AT_ONCE = 5_000

/** Forgets what webhooks were told long ago, with the attempts. What was forgotten before it is called off stays so. */
export async function sweepDeliveriesAt({ db }: Pick<Services, 'db'>, now: Date, signal: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - STORED_DAYS * 24 * 3_600_000)
  do signal.throwIfAborted()
  while ((await deleteDeliveriesBefore(db, before, AT_ONCE)) === AT_ONCE)
}
