import { randomUUID } from 'node:crypto'
import { type identityProviderSet, providerLimits, type SignInRule } from '@hilum/contract/calls/identity'
import { uuidForm } from '@hilum/contract/wire'
import type { Tx } from '../../db/database.ts'
import { listGroupPlaces } from '../account/group-places.sql.ts'
import { lockAccounts } from '../account/member.sql.ts'
import { demandRole } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { findRole } from '../role/role.sql.ts'
import { endPasswordSessions, endSessionsByProvider } from '../session/ended-sign-in.sql.ts'
import { noteEndedSessions } from '../session/note-ended.command.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { demandAboveAll } from './demand-above-all.ts'
import { isLinked } from './identity.sql.ts'
import { presentProvider, presentClaimRule } from './provider.presenter.ts'
import {
  findProviderOf,
  listClaimRules,
  type ProviderRow,
  replaceRules,
  type ClaimRuleRow,
  saveProvider,
} from './provider.sql.ts'
import { readProvider } from './read-provider.ts'

type Request = CallRequest<typeof identityProviderSet>

export const providerSet: Handler<typeof identityProviderSet> = async (request) => {
  const { services, input, caller, on, fail } = request
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  await services.db.transaction().execute(async (tx) => {
    await lockAccounts(tx, [on.ownerUuid])
    await demandAboveAll(tx, on)
    const found = await findProviderOf(tx, on.ownerUuid)
    const version = input.row_version
    if (version !== undefined && found && version !== found.row_version) throw fail('STALE')
    const before = found ?? emptyProvider(on.ownerUuid)
    const now = readProvider(before, input, services.config.signInAtPrivate)
    if (now.unmapped_role_uuid && now.unmapped_role_uuid !== before.unmapped_role_uuid)
      demandRole(on, await findRole(tx, on.ownerUuid, now.unmapped_role_uuid), 'account')
    now.sealed_secret = sealSecret(request, before, now.issuer)
    const rulesBefore = await listClaimRules(tx, now.uuid)
    const rules = input.rules ? await readRules(request, tx, input.rules) : rulesBefore
    await demandWayIn(request, tx, before, now)
    await saveProvider(tx, now)
    if (input.rules) await replaceRules(tx, now.uuid, rules)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: found ? 'EDIT' : 'CREATE',
      type: 'Identity_provider',
      objectUuid: now.uuid,
      detail: changesOf(request, [before, rulesBefore], [now, rules]),
    })
    await endSessions(request, tx, before, now)
  })
  return {}
}

function emptyProvider(accountUuid: string): ProviderRow {
  return {
    uuid: randomUUID(),
    account_uuid: accountUuid,
    is_on: false,
    button: '',
    issuer: '',
    client_id: '',
    sealed_secret: Buffer.alloc(0),
    scopes: 'openid profile email',
    email_claim: 'email',
    first_claim: 'given_name',
    last_claim: 'family_name',
    groups_claim: 'groups',
    domains: [],
    unmapped_role_uuid: null,
    creates_people: false,
    sso_only: false,
    trusts_second_factor: false,
    acr_values: '',
    row_version: 1,
  }
}

/** A secret that was entered for one issuer is shown to no other one: that would tell it to whose the other one is. */
function sealSecret({ services, input, fail }: Request, before: ProviderRow, issuer: string): Buffer {
  const secret = input.client_secret?.trim()
  if (secret === undefined) {
    if (before.sealed_secret.length === 0 || issuer !== before.issuer)
      throw fail('MISSING_FIELDS', { subtype: ['client_secret'] })
    return before.sealed_secret
  }
  if (!secret || secret.length > providerLimits.secret) throw fail('INVALID_FIELD', { subtype: 'client_secret' })
  return services.sealer.seal(secret, before.uuid)
}

/** Passwords are switched off by somebody who has come in by the provider: by this issuer, and it is on. */
async function demandWayIn({ caller, fail }: Request, tx: Tx, before: ProviderRow, now: ProviderRow): Promise<void> {
  if (!now.sso_only || (before.sso_only && before.issuer === now.issuer)) return
  if (!now.is_on || !(await isLinked(tx, caller.userUuid, now.issuer)))
    throw fail('SSO_REFUSED', { subtype: 'LINK_FIRST' })
}

/** Ends what was opened in a way that lets nobody in any more, but for the session that changes it. */
async function endSessions({ on, caller }: Request, tx: Tx, before: ProviderRow, now: ProviderRow): Promise<void> {
  const by = { accountUuid: on.ownerUuid, caller }
  const but = { exceptSession: caller.sessionUuid }
  if (before.is_on && (!now.is_on || now.issuer !== before.issuer)) {
    const because = now.is_on ? 'OTHER_ISSUER' : 'SWITCHED_OFF'
    await noteEndedSessions(tx, { ...by, because }, await endSessionsByProvider(tx, now.uuid, but))
  }
  // also where it is asked of single people, and the provider that lets them in comes on
  const isNewlyAsked = now.is_on && (!before.is_on || (now.sso_only && !before.sso_only))
  if (!isNewlyAsked) return
  const ended = await endPasswordSessions(tx, on.ownerUuid, but)
  await noteEndedSessions(tx, { ...by, because: 'SSO_ONLY' }, ended)
}

async function readRules({ on, fail }: Request, tx: Tx, sent: readonly SignInRule[]): Promise<ClaimRuleRow[]> {
  const groups = new Map((await listGroupPlaces(tx, on.ownerUuid, on.ownerUuid)).map((one) => [one.uuid, one]))
  const rules: ClaimRuleRow[] = []
  for (const { value, role_id: sentRole = '', group_id: sentGroup = '' } of sent) {
    const [role, group] = [sentRole.toLowerCase(), sentGroup.toLowerCase()]
    const text = value.trim()
    if (!text || text.length > providerLimits.text) throw fail('INVALID_FIELD', { subtype: 'rules' })
    if (role && !uuidForm.test(role)) throw fail('ROLE_NOT_FOUND')
    if (group && !groups.has(group)) throw fail('NOT_FOUND', { subtype: 'rules' })
    const given = role || groups.get(group)?.default_role
    if (!group && !role) throw fail('INVALID_FIELD', { subtype: 'rules' })
    if (given) demandRole(on, await findRole(tx, on.ownerUuid, given), group ? 'group' : 'account')
    rules.push({ value: text, role_uuid: role || null, group_uuid: group || null })
  }
  return rules
}

type State = readonly [ProviderRow, readonly ClaimRuleRow[]]

/** Old and new value by field; of the secret only that there is another one. */
function changesOf({ input }: Request, before: State, now: State): Record<string, unknown> {
  const [was, is] = [before, now].map(([row, rules]) => ({
    ...presentProvider(row, []),
    rules: rules.map(presentClaimRule),
  }))
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(is ?? {})) {
    const old: unknown = (was as Record<string, unknown>)[name]
    if (JSON.stringify(old) !== JSON.stringify(value)) changes[name] = [old, value]
  }
  return { ...changes, ...(input.client_secret === undefined ? {} : { client_secret: 'changed' }) }
}
