import type { studyNominateForm } from '@hilum/contract/calls/study-nominate'
import { customFieldAccessOf } from '@hilum/contract/study-field-access'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import type { Handler } from '../handler.ts'
import { formFields } from '../nomination/nomination-form.ts'
import { findInboxConfig } from '../setting/inbox-config.sql.ts'
import { findGatekeeper } from './share-recipient.sql.ts'

export const nominateForm: Handler<typeof studyNominateForm> = async ({ services: { db }, on }) => {
  const { account_uuid: accountUuid, phi_namespace: namespaceUuid } = on.record
  const config = await findInboxConfig(db, namespaceUuid)
  if (config?.group_designation !== 'CLOUD') return { gatekeepers: [] }
  const definitions = await listDefinitions(db, [accountUuid], 'Study')
  const asked = config.pacs_promote_groups.map((uuid) => findGatekeeper(db, accountUuid, uuid))
  const found = (await Promise.all(asked)).filter((one) => one !== undefined)
  const gatekeepers = found.map(async ({ uuid, name, namespace_uuid }) => {
    const { fields, missing } = formFields(await findInboxConfig(db, namespace_uuid), definitions)
    // a field that the role hides cannot be answered by this person
    const shown = fields.filter((one) => customFieldAccessOf(on.membership.fieldFlags, one) !== 'H')
    return { uuid, name, customfields: presentFieldValues(shown, {}), missing_fields: missing }
  })
  return { gatekeepers: await Promise.all(gatekeepers) }
}
