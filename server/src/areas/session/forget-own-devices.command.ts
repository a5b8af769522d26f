import type { Caller } from '../../access/caller.ts'
import type { Database } from '../../db/database.ts'
import { writeOwnAudit } from '../audit/write-own-audit.command.ts'
import { forgetDevices } from './remembered-device.sql.ts'

/** Forgets one of the caller's devices, or all, on record. @returns how many there were */
export function forgetOwnDevices(db: Database, caller: Caller, only?: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const forgotten = await forgetDevices(tx, caller.userUuid, only)
    if (forgotten > 0) await writeOwnAudit(tx, caller, 'EDIT', { remembered_device: ['remembered', 'forgotten'] })
    return forgotten
  })
}
