import { accountSettings, isAccountName, isIssuer } from '@hilum/contract/account-settings'
import { accountSecurityLimits, type accountSet } from '@hilum/contract/calls/account-set'
import { mostSupportHours } from '@hilum/contract/calls/system'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changeFieldValues, valuesAsRead } from '../customfield/change-field-values.command.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { CallRequest, Handler } from '../handler.ts'
import {
  hasOtherAccounts,
  isAccountNameTaken,
  isVanityTaken,
  lockAccountNames,
  lockIdentity,
  updateIdentity,
  updateEntry,
  updateSecurity,
  updateSupport,
} from './account-security.sql.ts'
import { endProxySessionsIn } from '../session/end-sessions.sql.ts'
import { mayChangeSignIn } from '../session/pin-session.sql.ts'
import { findAccountOf } from './account.sql.ts'
import { presentAccount } from './account.presenter.ts'
import { demandRole } from './promotion.policy.ts'
import { isOfInstallation, readVanity } from './read-vanity.ts'
import { findRole } from '../role/role.sql.ts'
import { askOfForeignMrns } from '../routing/ask-again.command.ts'
import { changeSettings } from './change-settings.command.ts'
import { changeAccountShares } from './change-account-shares.command.ts'
import { demandCodeChange } from './demand-code-change.ts'
import { readSettings } from '../setting/read-settings.ts'
import { listSettings } from '../setting/setting.sql.ts'

type Request = CallRequest<typeof accountSet>
type Changes = Record<string, readonly [before: unknown, now: unknown]>

export const set: Handler<typeof accountSet> = async (request) => {
  const { services, input, raw, caller, on } = request
  const settings = readSettings(input.settings, raw)
  const identity = readIdentity(request)
  demandInBounds(request)
  demandNoProxy(request)
  const code = input.share_code?.trim()
  if (code) await demandCodeChange(request, code)
  await services.db.transaction().execute(async (tx) => {
    if (input.seen) demandUnchanged(input.seen, await readNow(tx, request))
    const changes: Changes = {
      ...(await changeIdentity(tx, request, identity)),
      ...(await changeSecurity(tx, request)),
      ...(await changeEntry(tx, request)),
      ...(await changeSupport(tx, request)),
      ...(await changeAccountShares(tx, request)),
      ...(await changeSettings(tx, on.ownerUuid, settings)),
      ...(await changeFieldValues(tx, { object: 'Account', accountUuid: on.ownerUuid }, raw)),
    }
    if (Object.keys(changes).length === 0) return
    if (changes['pin_required']?.[1] === 0) await demandProof(tx, request)
    if (changes['issuer'] || changes['other_issuers']) await askOfForeignMrns(tx, on.ownerUuid)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Account',
      objectUuid: on.ownerUuid,
      detail: changes,
    })
  })
  return {}
}

/** The account as account/get shows it, and each setting and custom field by the name that sets it; nobody changes it until the transaction ends. */
async function readNow(tx: Tx, { caller, on, fail }: Request): Promise<object> {
  await lockIdentity(tx, on.ownerUuid)
  const row = await findAccountOf(tx, caller.userUuid, on.ownerUuid)
  if (!row) throw fail('NOT_FOUND')
  const settings = await listSettings(tx, 'account', on.ownerUuid)
  const named = Object.fromEntries(accountSettings.map((name) => [`setting_${name}`, settings[name] ?? '']))
  const definitions = await listDefinitions(tx, [on.ownerUuid], 'Account')
  const account = presentAccount(row, settings, definitions, undefined, true)
  return { ...account, ...named, ...valuesAsRead(account.customfields) }
}

function demandInBounds({ input, fail }: Request): void {
  for (const field of ['password_expire', 'session_expire'] as const) {
    const { least, most } = accountSecurityLimits[field]
    const value = input[field]
    if (value !== undefined && value !== 0 && (value < least || value > most)) {
      throw fail('INVALID_INTEGER', { subtype: field })
    }
  }
}

/** Fields that decide who signs in, how, and as what. */
const ofSignIn = ['pin_required', 'password_expire', 'session_expire', 'vanity', 'role_id'] as const

/** A supporter who is signed in as somebody else changes nothing about logins, as in `by-proxy.ts`. */
function demandNoProxy({ input, caller, fail }: Request): void {
  if (caller.proxy && ofSignIn.some((field) => input[field] !== undefined)) {
    throw fail('NOT_PERMITTED', { subtype: 'PROXY' })
  }
}

/** A screen that was left open takes the second factor off nobody. */
async function demandProof(tx: Tx, { caller, fail }: Request): Promise<void> {
  if (!(await mayChangeSignIn(tx, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
}

function readIdentity({ input, fail }: Request): { name: string | undefined; issuer: string | undefined } {
  const [name, issuer] = [input.name?.trim().normalize('NFC'), input.issuer?.trim()]
  if (name !== undefined && !isAccountName(name)) throw fail('INVALID_FIELD', { subtype: 'name' })
  if (issuer !== undefined && !isIssuer(issuer)) throw fail('INVALID_FIELD', { subtype: 'issuer' })
  return { name, issuer }
}

async function changeIdentity(
  tx: Tx,
  { on, fail }: Request,
  { name, issuer }: ReturnType<typeof readIdentity>,
): Promise<Changes> {
  if (name === undefined && issuer === undefined) return {}
  const before = await lockIdentity(tx, on.ownerUuid)
  if (!before) throw fail('NOT_FOUND')
  const now = { name: name ?? before.name, issuer: issuer ?? before.issuer }
  if (now.name !== before.name) await lockAccountNames(tx)
  if (now.name !== before.name && (await isAccountNameTaken(tx, on.ownerUuid, now.name))) throw fail('DUPLICATE_NAME')
  await updateIdentity(tx, on.ownerUuid, now)
  return changesOf(before, now)
}

async function changeSecurity(tx: Tx, { input, on, fail }: Request): Promise<Changes> {
  const { password_expire: days, session_expire: minutes, pin_required: pin } = input
  const before = await updateSecurity(tx, on.ownerUuid, {
    passwordDays: days,
    idleMinutes: minutes,
    isPinRequired: pin === undefined ? undefined : pin === 1,
  })
  if (!before) throw fail('NOT_FOUND')
  return changesOf({ ...before }, { password_expire: days, session_expire: minutes, pin_required: pin })
}

/** By which host names people come in, and as what. */
async function changeEntry(tx: Tx, { services, input, caller, on, fail }: Request): Promise<Changes> {
  const vanity = input.vanity === undefined ? undefined : readVanity(input.vanity)
  if (vanity === 'invalid') throw fail('INVALID_VANITY')
  const { role_id: roleUuid } = input
  if (vanity === undefined && roleUuid === undefined) return {}
  if (roleUuid) demandRole(on, await findRole(tx, on.ownerUuid, roleUuid), 'account')
  if (vanity) {
    await lockAccountNames(tx)
    if (await isVanityTaken(tx, on.ownerUuid, vanity)) throw fail('DUPLICATE_VANITY')
    const isOfAll = isOfInstallation(vanity, services.config.publicUrl) && !caller.sysadmin
    if (isOfAll && (await hasOtherAccounts(tx, on.ownerUuid))) throw fail('DUPLICATE_VANITY')
  }
  const before = await updateEntry(tx, on.ownerUuid, { vanity: vanity?.join(','), roleUuid })
  return changesOf({ ...before }, { vanity: vanity?.join(','), role_id: roleUuid })
}

/** The account's consent, which no supporter gives in its place; taken back, it ends their sessions. */
async function changeSupport(tx: Tx, { input, caller, on, fail }: Request): Promise<Changes> {
  const { support_hours: hours } = input
  if (hours === undefined) return {}
  if (caller.proxy || caller.kind === 'key') throw fail('NOT_PERMITTED', { subtype: 'support_hours' })
  if (hours < 0 || hours > mostSupportHours) throw fail('INVALID_INTEGER', { subtype: 'support_hours' })
  const changed = await updateSupport(tx, on.ownerUuid, hours)
  if (hours === 0) await endProxySessionsIn(tx, on.ownerUuid)
  return changed.before === changed.now ? {} : { support_until: [changed.before, changed.now] }
}

/** The fields that are given and other than before. */
function changesOf(before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): Changes {
  return Object.fromEntries(
    Object.entries(now).flatMap(([name, value]) =>
      value === undefined || value === before[name] ? [] : [[name, [before[name], value] as const]],
    ),
  )
}
