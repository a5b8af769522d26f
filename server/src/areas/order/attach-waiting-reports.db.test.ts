import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { makeWaitingReport } from '../../../test/make-waiting-report.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { attachWaitingReports } from './attach-waiting-reports.job.ts'

const app = await startTestApp()
const { services, query } = app
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const { namespaceUuid } = await organisation.addGroup()

/** A report that waits, and the exam that it is about. */
async function addPair(report: { study_uid?: string } = {}) {
  const mrn = randomUUID()
  const waiting = await makeWaitingReport(app, { accountUuid, namespaceUuid }, { patientid: mrn, name: '' })
  await query(`update waiting_report set accession_number = '${mrn}', study_uid = '${report.study_uid ?? ''}'
    where uuid = '${waiting}'`)
  await query(`insert into waiting_document (report_uuid, position, ending, bytes)
    values ('${waiting}', 0, 'txt', 'Report of ${mrn}')`)
  const fields = { phi_namespace: namespaceUuid, patientid: mrn, accession_number: mrn }
  const [uuid = ''] = await makeStudies(services.db, accountUuid, [fields])
  return { waiting, uuid }
}
const reasonsOf = (uuid: string) => query(`select reason from waiting_report where uuid = '${uuid}'`)
const filesOf = (uuid: string) => query(`select from attachment where study_uuid = '${uuid}'`)

it('attaches the reports behind one that cannot be written, notes the reason, and fails for whoever watches', async () => {
  const [broken, good] = [await addPair(), await addPair()]
  await query(`create function refuse_attachment() returns trigger language plpgsql
    as $$ begin raise exception 'refused'; end $$`)
  await query(`create trigger refuse_attachment before insert on attachment for each row
    when (new.study_uuid = '${broken.uuid}') execute function refuse_attachment()`)
  await expect(attachWaitingReports(services)).rejects.toThrow('refused')
  expect(await filesOf(good.uuid)).toHaveLength(1)
  expect(await reasonsOf(broken.waiting)).toEqual([{ reason: 'The report could not be stored' }])
  await query('drop trigger refuse_attachment on attachment')
  await attachWaitingReports(services)
  expect(await filesOf(broken.uuid)).toHaveLength(1)
  expect(await reasonsOf(broken.waiting)).toEqual([])
})

it('says of a report why the exam with its accession number is not the one that it names', async () => {
  const { waiting, uuid } = await addPair({ study_uid: '2.25.1' })
  await attachWaitingReports(services)
  expect(await filesOf(uuid)).toEqual([])
  expect(await reasonsOf(waiting)).toEqual([{ reason: 'The exam with this accession number has another study UID' }])
})
