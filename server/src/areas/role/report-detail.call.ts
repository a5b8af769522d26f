import type { roleReportDetail } from '@hilum/contract/calls/report'
import { permissions, studyFieldFlags } from '@hilum/contract/permissions'
import type { Handler } from '../handler.ts'
import { askedReportRows, makeReport } from '../report/make-report.command.ts'
import { presentRole } from './role.presenter.ts'
import { listAllRoles } from './role.sql.ts'

const words = ['uuid', 'name', 'description', 'for_account', 'for_group', 'for_location', 'user_count'] as const
const rights = [...permissions, ...studyFieldFlags]

export const reportDetail: Handler<typeof roleReportDetail> = async ({ services: { db }, caller, on }) => {
  const report_id = await makeReport(db, caller, async () => {
    const roles = (await listAllRoles(db, on.ownerUuid, askedReportRows)).map(presentRole)
    const lines = roles.map((role) => [
      ...words.map((word) => String(role[word])),
      ...rights.map((right) => String(role.permissions[right] ?? 0)),
    ])
    return { on, act: 'seeRoles', name: 'roles', head: [...words, ...rights], lines }
  })
  return { report_id }
}
