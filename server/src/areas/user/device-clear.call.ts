import type { userDeviceClear } from '@hilum/contract/calls/user-invite'
import { forgetOwnDevices } from '../session/forget-own-devices.command.ts'
import type { Handler } from '../handler.ts'

export const deviceClear: Handler<typeof userDeviceClear> = async ({ services, caller }) => {
  await forgetOwnDevices(services.db, caller)
  return {}
}
