import type { sessionDeviceList } from '@hilum/contract/calls/session-pin'
import type { Handler } from '../handler.ts'
import { listDevices } from './remembered-device.sql.ts'

export const deviceList: Handler<typeof sessionDeviceList> = async ({ services, caller }) => ({
  devices: await listDevices(services.db, caller.userUuid),
})
