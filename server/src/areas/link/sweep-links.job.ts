import type { Services } from '../../services.ts'
import { wipeEndedAddresses } from './link.sql.ts'

/** Forgets the addresses of cancelled requests once nobody can bring these back. */
export function sweepLinks({ db }: Pick<Services, 'db'>): Promise<void> {
  return wipeEndedAddresses(db)
}
