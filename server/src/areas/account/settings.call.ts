import { type AccountSetting, accountSettings, isSettingName, settingRules } from '@hilum/contract/account-settings'
import type { accountSettingsRead } from '@hilum/contract/calls/account-settings-calls'
import type { Caller, Membership } from '../../access/caller.ts'
import { findCaller } from '../../access/find-caller.ts'
import type { Db } from '../../db/database.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { findUser } from '../user/user.sql.ts'
import { findAccountByVanity } from './account.sql.ts'

type Request = CallRequest<typeof accountSettingsRead>

/** The call needs no session, so nobody has looked for the caller yet. */
export const settings: Handler<typeof accountSettingsRead> = async (request) => {
  const { services, input, origin, fail } = request
  const vanity = input.vanity?.trim()
  if (!input.account_id && !vanity) throw fail('MISSING_FIELDS', { subtype: ['account_id'] })
  const names = readNames(request)
  const asker = origin.sid ? await findCaller(services.db, origin.sid, origin.clientAddress) : undefined
  const caller = asker?.kind === 'link' || asker?.derivedStudies ? undefined : asker
  const byVanity = vanity ? await findAccountByVanity(services.db, vanity) : undefined
  const accountUuid = input.account_id ?? byVanity
  if (!accountUuid || (vanity && byVanity !== accountUuid)) throw fail('NOT_FOUND')
  const memberships = caller ? await caller.memberships() : []
  const member = memberships.find((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
  if (caller && member) {
    const place = input.namespace_id ? memberships.find((one) => one.namespaceUuid === input.namespace_id) : member
    if (place?.accountUuid !== accountUuid) throw fail('NOT_FOUND')
    return { settings: only(names, await effective(services.db, accountUuid, caller, place)) }
  }
  // strangers learn nothing of an account whose host name they do not use, and nothing of a place in it
  if (!vanity || input.namespace_id) throw fail('NOT_FOUND')
  const open = names.filter((name) => settingRules[name].unauthenticated)
  return { settings: only(open, { ...defaults(), ...(await listSettings(services.db, 'account', accountUuid)) }) }
}

function readNames({ input, fail }: Request): readonly AccountSetting[] {
  const isBrand = (name: string) => name.startsWith('brand_')
  const named = input.settings === undefined ? undefined : listOf(input.settings)
  const brand = listOf(input.brand_settings ?? '').map((name) => `brand_${name}`)
  const wanted = [...(named ?? accountSettings.filter((name) => !isBrand(name))), ...brand]
  return wanted.map((name) => {
    if (!isSettingName(name)) throw fail('INVALID_SETTING', { subtype: name })
    return name
  })
}

/** Names with commas between them, as the wire has them, or a JSON list of names. */
function listOf(text: string): string[] {
  return text
    .replaceAll(/[[\]"]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function defaults(): Record<string, string> {
  return Object.fromEntries(accountSettings.map((name) => [name, settingRules[name].default]))
}

function only(names: readonly string[], all: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, all[name] ?? '']))
}

/** Settings of the account with those over them that a role, a place and a person may set otherwise. */
async function effective(
  db: Db,
  accountUuid: string,
  caller: Caller,
  place: Membership,
): Promise<Record<string, string>> {
  const [account, role, namespace, user] = await Promise.all([
    listSettings(db, 'account', accountUuid),
    place.roleUuid ? listSettings(db, 'role', place.roleUuid) : {},
    listSettings(db, 'namespace', place.namespaceUuid),
    findUser(db, caller.userUuid),
  ])
  const own = JSON.stringify(user?.ui_json ?? {})
  const by = (layer: Readonly<Record<string, string>>, may: 'byRole' | 'byNamespace') =>
    Object.fromEntries(Object.entries(layer).filter(([name]) => isSettingName(name) && settingRules[name][may]))
  return {
    ...defaults(),
    ...account,
    ...by(role, 'byRole'),
    ...by(namespace, 'byNamespace'),
    ...(own === '{}' ? {} : { ui_json: own }),
  }
}
