import type { studyReportDetail } from '@hilum/contract/calls/report'
import { maxReportLines } from '@hilum/contract/limits'
import { studiesOfAccount } from '../../access/study-scope.ts'
import { findAlternatives } from '../filter/search-alternatives.command.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { askedFilters, askedReportRows, makeReport } from '../report/make-report.command.ts'
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
  const { services, input, caller, on, fail } = request
  const { limit } = input
  if (limit !== undefined && (limit < 1 || limit > maxReportLines)) throw fail('INVALID_INTEGER', { subtype: 'limit' })
  return { report_id: await makeReport(services.db, caller, async () => ({ on, ...(await readStudies(request)) })) }
}

/** The studies of the places where the caller may make such a report: a right of one place is none in another. */
async function readStudies({ services, input, list, caller, on, origin }: CallRequest<typeof studyReportDetail>) {
  const { db } = services
  const scope = await studiesOfAccount(caller, on.accountUuid, 'reportStudies')
  const question = await prepareStudyQuestion(db, scope, caller, list)
  const keys = await listStudyKeys(db, question, input.limit ?? askedReportRows, 0)
  const memberships = new Map(scope.namespaces.map((one) => [one.namespaceUuid, one]))
  const lines: string[][] = []
  for (let at = 0; at < keys.length; at += atOnce) {
    const part = keys.slice(at, at + atOnce)
    const rows = new Map((await listStudyRows(db, part, caller.userUuid)).map((row) => [row.uuid, row]))
    for (const { uuid, phi_namespace: namespace } of part) {
      const [row, place] = [rows.get(uuid), memberships.get(namespace)]
      if (!row || !place) continue
      const study = presentStudy(row, place, origin.host, new Map())
      lines.push(head.map((field) => String(study[field] ?? '')))
    }
  }
  const places = [...new Set(keys.map((one) => one.phi_namespace))]
  const saved = list.filterId === undefined ? {} : { any_of: await askedAlternatives(db, caller, list) }
  const asked = { filters: askedFilters(list.filters), ...saved }
  return { act: 'reportStudies', name: 'studies', head, lines, places, asked } as const
}

/** Filters of the saved search, which may be another one tomorrow. */
async function askedAlternatives(...asked: Parameters<typeof findAlternatives>) {
  return (await findAlternatives(...asked)).map(askedFilters)
}
