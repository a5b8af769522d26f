import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { madePdf } from '../../../test/made-pdf.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, type StudyFields } from '../../../test/make-studies.ts'
import { makeWaitingReport } from '../../../test/make-waiting-report.ts'
import { startTestApp } from '../../../test/test-app.ts'

/* Reports by HL7 that wait for their exam, in the hands of people: found, read and given to an exam. */

const app = await startTestApp()
const { services, call, query } = app
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const [group, elsewhere] = [await organisation.addGroup(), await organisation.addGroup()]
const editor = await organisation.addPerson({ role: 'Administrator', groups: [group, elsewhere] })
const reader = await organisation.addPerson({ role: 'Clinician', groups: [group] })
const stranger = await organisation.addPerson({ role: 'Administrator', groups: [elsewhere] })

const pdf = madePdf([[200, 200]])

async function addReport(patientid: string, fields: Record<string, string> = {}): Promise<string> {
  const uuid = await makeWaitingReport(app, { ...group, accountUuid }, { patientid })
  for (const [field, value] of Object.entries(fields)) {
    await query(`update waiting_report set ${field} = '${value}' where uuid = '${uuid}'`)
  }
  await query(`insert into waiting_document (report_uuid, position, ending, bytes)
    values ('${uuid}', 0, 'txt', 'No fracture of ${patientid}'), ('${uuid}', 1, 'pdf', '\\x${pdf.toString('hex')}')`)
  return uuid
}
async function addExam(fields: Partial<StudyFields>): Promise<string> {
  const study = { phi_namespace: group.namespaceUuid, patient_name: 'DOE^JANE', ...fields }
  const [uuid = ''] = await makeStudies(services.db, accountUuid, [study])
  return uuid
}
const ask = async (path: string, sent: object, { sid } = editor) => (await call(path, { sid, ...sent })).body
const filesOf = (uuid: string) =>
  query(`select filename from attachment where study_uuid = '${uuid}' and deleted_at is null order by filename`)

describe('reports that wait for their exam', () => {
  it('are listed by pages with their number, those with a reason first, then those that wait longest', async () => {
    const mrn = randomUUID()
    const uuids = []
    for (const received of ['2026-01-03', '2026-01-01', '2026-01-02']) uuids.push(await addReport(mrn, { received }))
    uuids.push(await addReport(mrn, { received: '2026-01-09', reason: 'The exam is of somebody else' }))
    const [third, first, second, urgent] = uuids
    const pageOf = (number: number, more: object) =>
      ask('order/report/list', {
        account_id: accountUuid,
        'filter.patientid.equals': mrn,
        'page.rows': 3,
        'page.number': number,
        ...more,
      })
    const pagesBy = async (more: object) => [await pageOf(1, more), await pageOf(2, more)]
    const uuidsOf = (pages: { reports: { uuid: string }[] }[]) =>
      pages.flatMap(({ reports }) => reports.map((one) => one.uuid))
    const pages = await pagesBy({})
    expect(uuidsOf(pages)).toEqual([urgent, first, second, third])
    expect(uuidsOf(await pagesBy({ sort_by: 'reason-desc' }))).toEqual([urgent, first, second, third])
    expect(uuidsOf(await pagesBy({ sort_by: 'received-desc' }))).toEqual([urgent, third, second, first])
    expect(pages.map(({ page }) => [page.more, page.total])).toEqual([
      [1, 4],
      [0, 4],
    ])
  })

  it('are read with their texts and PDFs, on record, by those who see orders of the place', async () => {
    const mrn = randomUUID()
    const uuid = await addReport(mrn, { study_uid: '1.2.3' })
    const opened = await ask('order/report/get', { uuid }, reader)
    expect(opened).toMatchObject({
      patientid: mrn,
      study_uid: '1.2.3',
      documents: 2,
      texts: [`No fracture of ${mrn}`],
      pdfs: [pdf.length],
      pdf: null,
    })
    expect(opened).not.toHaveProperty('total')
    const whole = await ask('order/report/get', { uuid, document: 0 }, reader)
    expect(Buffer.from(whole.pdf, 'base64').equals(pdf)).toBe(true)
    for (const [sent, asker] of [
      [{ uuid, document: 1 }, reader],
      [{ uuid, document: -1 }, reader],
      [{ uuid }, stranger],
    ] as const)
      expect((await ask('order/report/get', sent, asker)).error_type).toBe('NOT_FOUND')
    expect(
      await query(`select detail from audit where action = 'REPORT_VIEW' and actor = '${reader.userUuid}' order by id`),
    ).toEqual([
      { detail: { report: uuid, calling_ae: 'RIS' } },
      // a PDF leaves by a reading of its own
      { detail: { report: uuid, calling_ae: 'RIS', document: 0 } },
    ])
  })

  it('are given by hand to an exam of their patient that they do not name, and wait no more', async () => {
    const mrn = randomUUID()
    const uuid = await addReport(mrn, { accession_number: 'MISTYPED', study_uid: '1.2.3' })
    const exam = await addExam({ patientid: mrn, accession_number: 'A-1' })
    const attach = (asker = editor) => ask('order/report/attach', { uuid, study_id: exam }, asker)
    expect((await attach(reader)).error_type).toBe('NOT_PERMITTED')
    expect((await attach(stranger)).error_type).toBe('NOT_FOUND')
    expect((await attach()).status).toBe('OK')
    expect(await filesOf(exam)).toEqual([{ filename: 'Report A-1 final.pdf' }, { filename: 'Report A-1 final.txt' }])
    expect(await query(`select actor from audit where action = 'REPORT_UPLOAD' and object_uuid = '${exam}'`)).toEqual([
      { actor: editor.userUuid },
      { actor: editor.userUuid },
    ])
    expect(await query(`select detail from audit where action = 'REPORT_REMOVE' and actor is not null`)).toMatchObject([
      { detail: { report: uuid, attached_to: exam } },
    ])
    expect((await attach()).error_type).toBe('NOT_FOUND')
  })

  it('stay where the exam is of another patient or place', async () => {
    const mrn = randomUUID()
    const uuid = await addReport(mrn, { patient_birth_date: '19700101' })
    const attach = async (study_id: string) => {
      const { error_type, error_subtype } = await ask('order/report/attach', { uuid, study_id })
      return [error_type, error_subtype]
    }
    const other = await addExam({ patientid: randomUUID() })
    expect(await attach(other)).toEqual(['NOT_AVAILABLE', 'other-patient'])
    const younger = await addExam({ patientid: mrn, patient_name: 'ROE^JOHN', patient_birth_date: '20100504' })
    expect(await attach(younger)).toEqual(['NOT_AVAILABLE', 'other-patient'])
    const unknown = await addExam({ patientid: '', patient_name: '' })
    expect(await attach(unknown)).toEqual(['NOT_AVAILABLE', 'other-patient'])
    const away = await addExam({ patientid: mrn, phi_namespace: elsewhere.namespaceUuid })
    expect((await attach(away))[0]).toBe('NOT_FOUND')
    expect((await attach(randomUUID()))[0]).toBe('NOT_FOUND')
    expect(await query(`select from waiting_report where uuid = '${uuid}'`)).toHaveLength(1)
    for (const exam of [other, younger, unknown, away]) expect(await filesOf(exam)).toEqual([])
  })
})
