import { randomInt, randomUUID } from 'node:crypto'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasAccounts, lockFirstStart } from '../areas/account/account-write.sql.ts'
import { insertConnection, markConnected, putAccountShareCode } from '../areas/account/connection.sql.ts'
import { createAccount } from '../areas/account/create-account.command.ts'
import { saveCustomField } from '../areas/customfield/customfield.sql.ts'
import { createGroup } from '../areas/group/create-group.command.ts'
import { ensureGateFields } from '../areas/nomination/gate-fields.sql.ts'
import { addGroupMember } from '../areas/group/group-write.sql.ts'
import { aeTitleSetting } from '../areas/node/peer-rules.ts'
import { putSetting } from '../areas/setting/setting.sql.ts'
import { createUser } from '../areas/user/create-user.command.ts'
import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { demoPlaceOf, demoTitles, makeDemoArchive } from './demo-archive.ts'
import { movePlaceOfDemo } from './demo.sql.ts'
import { type DemoGroup, demoAccount, demoEmail, demoGroups, demoPartners, demoPeople } from './demo-organisation.ts'
import { addDemoStudies, demoStudiesSetting } from './demo-studies.ts'

export interface DemoUser {
  email: string
  name: string
  role: string
  organisation: string
  password: string
}

/**
 * On an installation without any account, makes the demo organisations with users, synthetic studies and, where there is
 * a DICOM listener, a PACS to work with. The users are written to `demo-users.json` in the data folder, readable by the
 * owner only.
 * @returns the users just made; none when there was an account already
 */
export async function makeDemo(
  services: Services,
  options: { password?: string | undefined; dicomPort?: number | undefined } = {},
): Promise<DemoUser[]> {
  const password = options.password ?? services.config.demoPassword
  const { dicomPort } = options
  const place = dicomPort === undefined ? undefined : demoPlaceOf(services.config.dicom.host, dicomPort)
  const users = await services.db.transaction().execute(async (tx) => {
    await lockFirstStart(tx)
    if (await hasAccounts(tx)) return []
    const made = await makeOrganisation(tx, password, place)
    // before the commit: users whose passwords nobody knows would be of no use
    await writeUsers(services.config.dataFolder, made)
    return made
  })
  await addDemoStudies(services)
  if (place) await movePlaceOfDemo(services.db, demoAccount.name, demoTitles, place)
  return users
}

async function makeOrganisation(
  tx: Tx,
  password: string | undefined,
  place: ReturnType<typeof demoPlaceOf>,
): Promise<DemoUser[]> {
  const { accountUuid, roles } = await createAccount(tx, { ...demoAccount, isDemo: true })
  await putSetting(tx, 'account', accountUuid, demoStudiesSetting, 'pending')
  const groupUuids = new Map<DemoGroup, string>()
  for (const { key, name, designation, aeTitle } of demoGroups) {
    const gateway = groupUuids.get('gateway')
    const config = {
      group_designation: designation,
      ...(designation === 'CLOUD' && gateway ? { pacs_promote_groups: [gateway] } : {}),
      ...(designation === 'GATEKEEPER' ? gateOf(await makeNominationForm(tx, accountUuid)) : {}),
    }
    const { groupUuid, namespaceUuid } = await createGroup(tx, { accountUuid, name, config })
    if (aeTitle) await putSetting(tx, 'namespace', namespaceUuid, aeTitleSetting, aeTitle)
    groupUuids.set(key, groupUuid)
    if (place && designation === 'GATEKEEPER') await makeDemoArchive(tx, accountUuid, namespaceUuid, place)
  }
  const users: DemoUser[] = []
  for (const { login, first, last, role, groups } of demoPeople) {
    const user = newUser({ email: demoEmail(login), first, last, role, organisation: demoAccount.name }, password)
    const roleUuid = roles.get(role) ?? ''
    const { userUuid } = await createUser(tx, {
      accountUuid,
      roleUuid,
      first,
      last,
      login,
      isAddressProven: true,
      ...user,
    })
    for (const group of groups) await addGroupMember(tx, groupUuids.get(group) ?? '', userUuid)
    users.push(user)
  }
  for (const partner of demoPartners) users.push(...(await makePartner(tx, partner, accountUuid, password)))
  return users
}

/** The gatekeeper group matches what it is given with an order. */
const gateOf = (fields: string[]) => ({ pacs_form_customfields: fields, pacs_promote_preference: 'MWL' as const })

/** The fields that the gatekeeper group of the demo asks for. */
async function makeNominationForm(tx: Tx, accountUuid: string): Promise<string[]> {
  const { priority } = await ensureGateFields(tx, accountUuid)
  const uuid = randomUUID()
  await saveCustomField(tx, {
    uuid,
    account_uuid: accountUuid,
    name: 'nomination_reason',
    object: 'Study',
    type: 'select',
    display_order: null,
    required: true,
    options: { values: ['Surgery planned', 'Second opinion', 'Follow-up here'], field_label: 'Reason' },
    ui_json: { show_on_pages: [], grid_columns: 6 },
    field_flag: '',
    extra: {},
  })
  return priority ? [uuid, priority] : [uuid]
}

/** An organisation outside, with a group and people, connected with the first. */
async function makePartner(
  tx: Tx,
  partner: (typeof demoPartners)[number],
  firstAccount: string,
  password: string | undefined,
): Promise<DemoUser[]> {
  const { name, issuer, shareCode, group, domain, people } = partner
  const account = { name, issuer, settings: { ...demoAccount.settings }, isDemo: true }
  const { accountUuid, roles } = await createAccount(tx, account)
  await putAccountShareCode(tx, accountUuid, shareCode)
  const { groupUuid } = await createGroup(tx, { accountUuid, name: group, config: { group_designation: 'CLOUD' } })
  const users: DemoUser[] = []
  for (const { login, first, last, role } of people) {
    const user = newUser({ email: `${login}@${domain}`, first, last, role, organisation: name }, password)
    const roleUuid = roles.get(role) ?? ''
    const { userUuid } = await createUser(tx, {
      accountUuid,
      roleUuid,
      first,
      last,
      login,
      isAddressProven: true,
      ...user,
    })
    await addGroupMember(tx, groupUuid, userUuid)
    users.push(user)
    if (users.length > 1) continue
    const asked = { askingAccount: accountUuid, askedAccount: firstAccount, message: '', askedBy: userUuid }
    const uuid = randomUUID()
    await insertConnection(tx, { uuid, ...asked })
    await markConnected(tx, uuid)
  }
  return users
}

function newUser(
  { first, last, ...person }: Omit<DemoUser, 'name' | 'password'> & { first: string; last: string },
  password: string | undefined,
): DemoUser {
  return { ...person, name: `${first} ${last}`, password: password ?? newPassword() }
}

/** Easy to read aloud and type: letters that look like no other, and digits between. About 59 bits. */
function newPassword(): string {
  const pick = (signs: string, count: number) =>
    Array.from({ length: count }, () => signs[randomInt(signs.length)]).join('')
  const letters = 'abcdefghijkmnpqrstuvwxyz'
  return `${pick(letters, 5)}-${pick('0123456789', 4)}-${pick(letters, 5)}`
}

async function writeUsers(folder: string, users: readonly DemoUser[]): Promise<void> {
  const file = join(folder, 'demo-users.json')
  await writeFile(`${file}.new`, `${JSON.stringify(users, undefined, 2)}\n`, { mode: 0o600 })
  await chmod(`${file}.new`, 0o600) // a file left from before keeps its own mode
  await rename(`${file}.new`, file)
}
