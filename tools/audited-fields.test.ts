import { readFileSync } from 'node:fs'
import path from 'node:path'
import { accountSettings } from '@hilum/contract/account-settings'
import { storedFlags, storedTexts } from '@hilum/contract/calls/customfield'
import { routeFlags } from '@hilum/contract/routing-rule'
import { expect, it } from 'vitest'
import { parameterChanges } from '../server/test/parameter-changes.ts'
import { english } from '../web/src/labels/english.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Calls that write on record which fields of a thing they changed. */
const changing = [
  'accountSet',
  'accountUserSet',
  'userSet',
  'roleSet',
  'groupSet',
  'locationSet',
  'customfieldSet',
  'destinationSet',
  'nodeSet',
  'routeSet',
  'webhookSet',
  'identityProviderSet',
  'linkSet',
] as const
/** Parameters that name the thing, say what was seen before, or go on record under a field of another name. */
const unrecorded: ReadonlySet<string> = new Set([
  'uuid',
  'account_id',
  'user_id',
  'seen',
  'row_version',
  'old_password',
  'password_confirm',
  'new_secret',
  'support_hours',
  'inbox_config',
  'delay',
  'namespace_id',
  'node_id',
  'group_ids',
  ...routeFlags,
])
/** Names of fields on record that are no parameters, as the server lists them. */
const listed = [
  'server/src/areas/route/rule-changes.ts',
  'server/src/areas/destination/save-destination.command.ts',
  'server/src/areas/webhook/set.call.ts',
  'server/src/areas/role/set.call.ts',
  'server/src/areas/location/change-place.command.ts',
].flatMap((file) =>
  [...read(file).matchAll(/const (?:compared|audited|fields|flags|keys) = \[([^\]]*)\] as const/g)].flatMap(
    ([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
  ),
)
const ofGroups = [...read('contract/src/inbox-config.ts').matchAll(/^ {2}(\w+): z\./gm)].map(([, name = '']) => name)

it('every field that the audit tells a change of has a word there', () => {
  const sent = changing.flatMap((name) => Object.keys(parameterChanges[name])).filter((name) => !unrecorded.has(name))
  const settings = sent.map((name) => name.replace(/^setting_/, ''))
  const fields = new Set([...settings, ...listed, ...ofGroups, ...accountSettings, ...storedFlags, ...storedTexts])
  fields.delete('group_designation')
  expect(fields.size).toBeGreaterThan(140)
  expect(listed).toContain('port')
  expect(ofGroups).toContain('risk_line')
  expect([...fields].filter((name) => !(`audit.field.${name}` in english))).toEqual([])
})
