import type { accountTextsVersions } from '@hilum/contract/calls/account-text'
import type { Handler } from '../handler.ts'
import { countPeopleOf, listTextVersions } from './account-text.sql.ts'

export const versions: Handler<typeof accountTextsVersions> = async ({ services: { db }, on }) => {
  const [all, people] = await Promise.all([listTextVersions(db, on.ownerUuid), countPeopleOf(db, on.ownerUuid)])
  return { versions: all, people }
}
