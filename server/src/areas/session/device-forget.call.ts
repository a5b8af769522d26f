import type { sessionDeviceForget } from '@hilum/contract/calls/session-pin'
import type { Handler } from '../handler.ts'
import { forgetOwnDevices } from './forget-own-devices.command.ts'

export const deviceForget: Handler<typeof sessionDeviceForget> = async ({ services, input, caller, fail }) => {
  // another person's device reads like one that is forgotten
  if ((await forgetOwnDevices(services.db, caller, input.device_id)) === 0) throw fail('NOT_FOUND')
  return {}
}
