import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { type CalledNode, findRecordUuid } from './node.sql.ts'

/** Puts on record that a study comes in over an association: once each, before its first image is acknowledged. */
export async function recordReception(
  { db }: Pick<Services, 'db'>,
  node: CalledNode,
  sender: { callingTitle: string; calledTitle: string; address: string; associationUuid: string },
  studyUid: string,
): Promise<void> {
  const recordUuid = await findRecordUuid(db, node.namespaceUuid, studyUid)
  const { associationUuid, calledTitle, callingTitle, address } = sender
  await writeAudit(db, {
    accountUuid: node.accountUuid,
    caller: undefined,
    action: 'STUDY_RECEIVE',
    type: 'Study',
    ...(recordUuid ? { objectUuid: recordUuid } : {}),
    phiNamespace: node.namespaceUuid,
    detail: { association: associationUuid, calling_ae: callingTitle, called_ae: calledTitle, address },
  })
}
