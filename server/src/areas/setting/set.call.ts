import { settingSet } from '@hilum/contract/calls/setting'
import type { Db } from '../../db/database.ts'
import { changePeople } from '../account/change-people.command.ts'
import { lockMember } from '../account/member.sql.ts'
import { demandNotAbove } from '../account/person.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { settingPlaceOf } from './setting-place.ts'
import { countSettings, deleteSetting, findSetting, putSetting, type SettingScope } from './setting.sql.ts'

const maxKeyLength = 200
const maxValueLength = 100_000
const maxKeys = 1000

type Request = CallRequest<typeof settingSet>

export const set: Handler<typeof settingSet> = async (request) => {
  const { services, input, caller, fail } = request
  const { accounts, ...place } = await settingPlaceOf(services.db, caller, input, settingSet.asks['another person'])
  if (accounts.length === 0) {
    await put(request, services.db, place)
    return {}
  }
  const accountUuids = accounts.map((one) => one.ownerUuid)
  await changePeople(services.db, accountUuids, async (tx) => {
    for (const one of accounts) {
      const member = await lockMember(tx, one.ownerUuid, place.uuid)
      if (!member) throw fail('NOT_FOUND', { subtype: 'user_id' })
      demandNotAbove(one, member, caller)
      // an account may have taken the person in meanwhile
      if (member.other_accounts >= accounts.length) throw fail('NOT_PERMITTED', { subtype: 'OTHER_ACCOUNTS' })
    }
    await put(request, tx, place)
    for (const accountUuid of accountUuids) {
      // values may hold what is the person's own
      const detail = { setting: input.key }
      await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'User', objectUuid: place.uuid, detail })
    }
  })
  return {}
}

async function put(
  { input, fail }: Request,
  db: Db,
  { scope, uuid }: { scope: SettingScope; uuid: string },
): Promise<void> {
  const { key, value } = input
  if (value === '__DELETE__') return deleteSetting(db, scope, uuid, key)
  if (key.length > maxKeyLength || value.length > maxValueLength) throw fail('INVALID_SETTING_VALUE', { subtype: key })
  const isFull = (await countSettings(db, scope, uuid)) >= maxKeys
  if (isFull && (await findSetting(db, scope, uuid, key)) === undefined) {
    throw fail('INVALID_SETTING_VALUE', { subtype: key })
  }
  return putSetting(db, scope, uuid, key, value)
}
