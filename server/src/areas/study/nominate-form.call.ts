import type { studyNominateForm } from '@hilum/contract/calls/study-nominate'
import { customFieldAccessOf, type FieldAccess } from '@hilum/contract/study-field-access'
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
    const open = fields.filter((one) => mayFill(customFieldAccessOf(on.membership.fieldFlags, one)))
    const closed = fields.filter((one) => one.required && !open.includes(one)).length
    return { uuid, name, customfields: presentFieldValues(open, {}), missing_fields: missing, closed_fields: closed }
  })
  return { gatekeepers: await Promise.all(gatekeepers) }
}

/** Whether a person answers a field: one that the role hides, or only shows, is refused with the nomination. */
const mayFill = (access: FieldAccess) => access === 'F' || access === 'R'
