import type { sessionDeviceForget } from '@hilum/contract/calls/session-pin'
import { writeOwnAudit } from '../audit/write-own-audit.command.ts'
import type { Handler } from '../handler.ts'
import { forgetDevices } from './remembered-device.sql.ts'

export const deviceForget: Handler<typeof sessionDeviceForget> = async ({ services, input, caller, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    // another person's device reads like one that is forgotten
    if ((await forgetDevices(tx, caller.userUuid, input.device_id)) === 0) throw fail('NOT_FOUND')
    await writeOwnAudit(tx, caller, 'EDIT', { remembered_device: ['remembered', 'forgotten'] })
  })
  return {}
}
