import type { systemUserList } from '@hilum/contract/calls/system'
import type { Handler } from '../handler.ts'
import { listSystemPeople } from './system.sql.ts'

export const userList: Handler<typeof systemUserList> = async ({ services }) => ({
  users: await listSystemPeople(services.db),
})
