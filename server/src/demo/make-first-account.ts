import { hasAccounts, lockFirstStart } from '../areas/account/account-write.sql.ts'
import { firstOrganisation } from '../areas/account/first-organisation.ts'
import { createAccount } from '../areas/account/create-account.command.ts'
import { createGroup } from '../areas/group/create-group.command.ts'
import { addGroupMember } from '../areas/group/group-write.sql.ts'
import { aeTitleSetting } from '../areas/node/peer-rules.ts'
import { putSetting } from '../areas/setting/setting.sql.ts'
import { updateFlags } from '../areas/system/system.sql.ts'
import { createUser } from '../areas/user/create-user.command.ts'
import { findPasswordFault } from '../areas/user/password-fault.ts'
import type { Services } from '../services.ts'
import { type Administrator, askAdministrator } from './ask-administrator.ts'
import { passwordFaultText } from './password-fault-text.ts'
import { openTerminal } from './terminal.ts'

/** By which DICOM senders call the first group. */
const firstAeTitle = 'HILUM'

/**
 * On an installation without any account, makes one with a cloud group and its first administrator, who is taken from
 * the settings or asked for in the terminal.
 * @returns nothing to print: whoever typed the password knows it
 * @throws Error in words when there is neither a setting nor a terminal to ask at, or the password of the setting will not do
 */
export async function makeFirstAccount(services: Pick<Services, 'db' | 'config'>): Promise<[]> {
  if (await hasAccounts(services.db)) return []
  const administrator = services.config.firstAdministrator ?? (await askInTerminal())
  const fault = findPasswordFault(administrator.password, [administrator.email, firstOrganisation])
  if (fault) throw new Error(`HILUM_ADMIN_PASSWORD will not do. ${passwordFaultText(fault)}`)
  await services.db.transaction().execute(async (tx) => {
    await lockFirstStart(tx)
    if (await hasAccounts(tx)) return
    const settings = { enable_inbox_view: '1', first_steps: 'open' }
    const { accountUuid, roles } = await createAccount(tx, { name: firstOrganisation, issuer: 'LOCAL', settings })
    const config = { group_designation: 'CLOUD' as const }
    const { groupUuid, namespaceUuid } = await createGroup(tx, { accountUuid, name: 'Imaging Inbox', config })
    await putSetting(tx, 'namespace', namespaceUuid, aeTitleSetting, firstAeTitle)
    const roleUuid = roles.get('Administrator') ?? ''
    const { userUuid } = await createUser(tx, {
      accountUuid,
      roleUuid,
      first: '',
      last: '',
      isAddressProven: true,
      ...administrator,
    })
    await addGroupMember(tx, groupUuid, userUuid)
    // whoever installs the product makes further organisations
    await updateFlags(tx, userUuid, { sysadmin: true, support: false })
  })
  return []
}

async function askInTerminal(): Promise<Administrator> {
  if (!process.stdin.isTTY) {
    throw new Error(
      'the first administrator is not known. Set HILUM_ADMIN_EMAIL and HILUM_ADMIN_PASSWORD, or start it in a terminal.',
    )
  }
  const terminal = openTerminal()
  try {
    return await askAdministrator(terminal)
  } finally {
    terminal.close()
  }
}
