import type { identityList } from '@hilum/contract/calls/identity'
import type { Handler } from '../handler.ts'
import { listOwnIdentities } from './identity.sql.ts'

export const list: Handler<typeof identityList> = async ({ services, caller }) => ({
  identities: await listOwnIdentities(services.db, caller.userUuid),
})
