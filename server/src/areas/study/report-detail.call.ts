import type { studyReportDetail } from '@hilum/contract/calls/report'
import { maxReportLines } from '@hilum/contract/limits'
import { studiesOfAccount } from '../../access/study-scope.ts'
import type { Handler } from '../handler.ts'
import { makeReport, askedReportRows } from '../report/make-report.command.ts'
import { listStudyKeys } from './study-list.sql.ts'
import { prepareStudyQuestion } from './study-question.command.ts'
import { listStudyRows } from './study-rows.sql.ts'
import { presentStudy } from './study.presenter.ts'

const head = [
  'uuid',
  'study_uid',
  'phi_namespace_name',
  'patient_name',
  'patientid',
  'issuer',
  'patient_birth_date',
  'patient_sex',
  'accession_number',
  'study_date',
  'study_time',
  'study_description',
  'modality',
  'referring_physician',
  'image_count',
  'size',
  'source',
  'source_ae_title',
  'created',
  'updated',
] as const
/** Rows that are read at once. */
const atOnce = 1000

export const reportDetail: Handler<typeof studyReportDetail> = async (request) => {
  const { services, input, list, caller, on, origin, fail } = request
  const { db } = services
  const { limit } = input
  if (limit !== undefined && (limit < 1 || limit > maxReportLines)) throw fail('INVALID_INTEGER', { subtype: 'limit' })
  const scope = await studiesOfAccount(caller, on.accountUuid)
  const question = await prepareStudyQuestion(db, scope, caller, list)
  const keys = await listStudyKeys(db, question, limit ?? askedReportRows, 0)
  const places = new Map(scope.namespaces.map((one) => [one.namespaceUuid, one]))
  const lines: string[][] = []
  for (let at = 0; at < keys.length; at += atOnce) {
    const part = keys.slice(at, at + atOnce)
    const rows = new Map((await listStudyRows(db, part, caller.userUuid)).map((row) => [row.uuid, row]))
    for (const { uuid, phi_namespace: namespace } of part) {
      const [row, place] = [rows.get(uuid), places.get(namespace)]
      if (!row || !place) continue
      const study = presentStudy(row, place, origin.host, new Map())
      lines.push(head.map((field) => String(study[field] ?? '')))
    }
  }
  const table = { on, act: 'reportStudies', name: 'studies', head, lines } as const
  return { report_id: await makeReport(db, caller, table) }
}
