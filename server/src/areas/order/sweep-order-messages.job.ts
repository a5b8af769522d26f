import type { Services } from '../../services.ts'
import { deleteOrderMessagesBefore } from './order-message.sql.ts'

/** Senders repeat a message within minutes, an interface that was restored from a backup within days. */
const storedDays = 90

/** Forgets which messages were taken long ago; the audit keeps them. */
export function sweepOrderMessages({ db }: Pick<Services, 'db'>): Promise<void> {
  return deleteOrderMessagesBefore(db, new Date(Date.now() - storedDays * 86_400_000))
}
