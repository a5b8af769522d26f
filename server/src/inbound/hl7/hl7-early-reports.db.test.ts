import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, conditionOf, type Hl7Header, message, openHl7Sender, pidOf } from '../../../test/hl7-sender.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, type StudyFields } from '../../../test/make-studies.ts'
import { makeWaitingReport } from '../../../test/make-waiting-report.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { attachWaitingReports } from '../../areas/order/attach-waiting-reports.job.ts'
import { mostWaiting } from '../../areas/order/hold-report.command.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openHl7Listener } from './open-hl7-listener.ts'

/*
 * Reports that come before their exam: held, shown, and attached once the exam is there, whichever way it comes.
 */

const app = await startTestApp({ HILUM_HL7_PORT: '0' })
const { services, call, query } = app
const listeners = await openHl7Listener(services)
afterAll(() => listeners.close())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const [group, small, elsewhere] = [
  await organisation.addGroup(),
  await organisation.addGroup(),
  await organisation.addGroup(),
]
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group, small] })
await putSetting(services.db, 'namespace', group.namespaceUuid, aeTitleSetting, 'WARD')
await putSetting(services.db, 'namespace', small.namespaceUuid, aeTitleSetting, 'SMALL')

/** Names of a patient and an exam that other tests do not meet. */
function makeNames() {
  const mark = randomUUID().slice(0, 8)
  return { mrn: `P-${mark}`, accession: `A-${mark}`, number: `R-${mark}` }
}
type Names = ReturnType<typeof makeNames>

async function addExam({ mrn, accession }: Names, fields: Partial<StudyFields> = {}): Promise<string> {
  const study = {
    phi_namespace: group.namespaceUuid,
    patient_name: 'DOE^JANE',
    patientid: mrn,
    patient_birth_date: '19700102',
    patient_sex: 'F',
    accession_number: accession,
    ...fields,
  }
  const [uuid = ''] = await makeStudies(services.db, accountUuid, [study])
  return uuid
}

const [first, second] = [madePdf([[200, 200]]), madePdf([[300, 200]])]
const pdfLine = (pdf: Buffer) => `OBX|1|ED|PDF||^application^pdf^Base64^${pdf.toString('base64')}||||||`
const obrOf = ({ number, accession }: Names, status: string) =>
  `OBR|1||${number}|X^Head${'|'.repeat(14)}${accession}${'|'.repeat(7)}${status}`
const report = (names: Names, status: string, pdf?: Buffer, header?: Hl7Header) =>
  message('ORU^R01', [pidOf(names.mrn), obrOf(names, status), ...(pdf ? [pdfLine(pdf)] : [])], header)
const send = (text: string) => openHl7Sender(listeners.port).ask(text)
const attach = () => attachWaitingReports(services)

async function filesOf(uuid: string): Promise<{ filename: string; sha256: string }[]> {
  return query(
    `select filename, sha256 from attachment where study_uuid = '${uuid}' and deleted_at is null order by stored`,
  )
}
const filenamesOf = async (uuid: string) => (await filesOf(uuid)).map((one) => one.filename)
const waiting = async ({ number }: Pick<Names, 'number'>) => {
  const { body } = await call('order/report/list', { sid, account_id: accountUuid })
  return body.reports.filter((one: { number: string }) => one.number === number)
}
async function countObjects(): Promise<number> {
  const found = await readdir(services.config.dataFolder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile() && entry.parentPath.includes('attachments')).length
}

describe('a report that comes before its exam', () => {
  it('is taken and held, in words to its sender and on the list, and attached when the exam comes', async () => {
    const names = makeNames()
    const before = await countObjects()
    const answer = await send(report(names, 'F', first))
    expect(codeOf(answer)).toBe('AA')
    expect(answer).toMatch(/\rMSA\|AA\|[^|]+\|A report waits here until its exam comes\r/)
    expect(await countObjects()).toBe(before)
    expect(await waiting(names)).toMatchObject([
      {
        namespace_id: group.namespaceUuid,
        patient_name: 'DOE^JANE',
        patientid: names.mrn,
        accession_number: names.accession,
        status: 'final',
        documents: 1,
        sender: 'RIS NORTH',
        reason: '',
      },
    ])
    await attach()
    expect(await waiting(names)).toHaveLength(1)
    const exam = await addExam(names)
    await attach()
    expect(await filenamesOf(exam)).toEqual([`Report ${names.accession} final.pdf`])
    expect(await waiting(names)).toEqual([])
    expect((await call('study/get', { sid, uuid: exam })).body.attachment_count).toBe(1)
    const audit = await query<{ detail: object }>(
      `select detail from audit where object_uuid = '${exam}' and action = 'REPORT_UPLOAD'`,
    )
    expect(audit).toMatchObject([{ detail: { report: 'final', calling_ae: 'RIS NORTH' } }])
    const taken = await query<{ detail: { answer: string; reason: string } }>(
      `select detail from audit where object_uuid = '${group.namespaceUuid}' and action = 'ORDER_MESSAGE' order by id desc limit 1`,
    )
    expect(taken).toMatchObject([{ detail: { answer: 'AA', reason: '1 of 1 reports wait for their exam' } }])
  })

  it('is attached where an exam is given its accession number, or its order comes later', async () => {
    const [corrected, ordered] = [makeNames(), makeNames()]
    expect(codeOf(await send(report(corrected, 'F', first)))).toBe('AA')
    const byNumber = [pidOf(ordered.mrn), `OBR|1|O-${ordered.mrn}|${ordered.number}${'|'.repeat(22)}F`, pdfLine(second)]
    expect(codeOf(await send(message('ORU^R01', byNumber)))).toBe('AA')
    const exams = [await addExam({ ...corrected, accession: '' }), await addExam(ordered)]
    await attach()
    expect(await Promise.all(exams.map(filenamesOf))).toEqual([[], []])
    const edit = { sid, study_id: exams[0], accession_number: corrected.accession }
    expect((await call('study/set', edit)).body.status).toBe('OK')
    const order = [pidOf(ordered.mrn), `ORC|NW|O-${ordered.mrn}`, obrOf({ ...ordered, number: '' }, '')]
    expect(codeOf(await send(message('ORM^O01', order)))).toBe('AA')
    await attach()
    expect(await Promise.all(exams.map(filenamesOf))).toEqual([
      [`Report ${corrected.accession} final.pdf`],
      [`Report ${ordered.accession} final.pdf`],
    ])
  })

  it('is replaced by a later one of its number, also where the exam came in between, and ends when it is withdrawn', async () => {
    const [held, come, withdrawn] = [makeNames(), makeNames(), makeNames()]
    for (const status of ['P', 'F']) {
      expect(codeOf(await send(report(held, status, status === 'P' ? first : second)))).toBe('AA')
    }
    expect(await waiting(held)).toMatchObject([{ status: 'final', documents: 1 }])
    expect(codeOf(await send(report(come, 'P', first)))).toBe('AA')
    const exam = await addExam(come)
    expect(codeOf(await send(report(come, 'F', second)))).toBe('AA')
    await attach()
    expect(await filenamesOf(exam)).toEqual([`Report ${come.accession} final.pdf`])
    expect(codeOf(await send(report(withdrawn, 'F', first)))).toBe('AA')
    expect(codeOf(await send(report(withdrawn, 'X')))).toBe('AA')
    expect(await waiting(withdrawn)).toEqual([])
    // nothing is there any more that could be withdrawn
    const again = await send(report(withdrawn, 'X', undefined, { id: 'AGAIN' }))
    expect([codeOf(again), conditionOf(again)]).toEqual(['AE', ['OBR^1^18', '204']])
  })

  it('is never attached once a later one of its number came, also where the exam here is of another patient', async () => {
    const [corrected, withdrawn, beside] = [makeNames(), makeNames(), makeNames()]
    const other = { ...makeNames(), mrn: beside.mrn }
    for (const names of [corrected, withdrawn, beside]) expect(codeOf(await send(report(names, 'P', first)))).toBe('AA')
    const exams = []
    for (const names of [corrected, withdrawn, other]) exams.push(await addExam(names, { patientid: 'MISTYPED' }))
    await attach()
    expect(codeOf(await send(report(corrected, 'C', second)))).toBe('AA')
    expect(await waiting(corrected)).toMatchObject([
      { status: 'corrected', reason: 'The exam is of a patient with another number' },
    ])
    expect(codeOf(await send(report(withdrawn, 'X')))).toBe('AA')
    expect(await waiting(withdrawn)).toEqual([])
    // a part that its exam does not take leaves no earlier report of the other part
    const both = [pidOf(beside.mrn), obrOf(other, 'F'), pdfLine(first), obrOf(beside, 'F'), pdfLine(second)]
    expect(codeOf(await send(message('ORU^R01', both)))).toBe('AA')
    expect([await waiting(other), await waiting(beside)]).toMatchObject([[{ status: 'final' }], [{ status: 'final' }]])
    for (const [at, { mrn }] of [corrected, withdrawn, other].entries())
      await query(`update study set patientid = '${mrn}' where uuid = '${exams[at]}'`)
    await attach()
    expect(await Promise.all(exams.map(filenamesOf))).toEqual([
      [`Report ${corrected.accession} corrected.pdf`],
      [],
      [`Report ${other.accession} final.pdf`],
    ])
  })

  it('stays beside one of its number that is of another patient or order, and what is replaced is on record', async () => {
    const [one, stranger] = [makeNames(), makeNames()]
    const ofOrder = (mrn: string, order: string, id: string) =>
      message('ORU^R01', [pidOf(mrn), `OBR|1|${order}|${one.number}${'|'.repeat(22)}F`, pdfLine(first)], { id })
    for (const text of [
      ofOrder(one.mrn, 'O-1', `${one.number}-1`),
      ofOrder(stranger.mrn, 'O-1', `${one.number}-2`),
      ofOrder(one.mrn, 'O-2', `${one.number}-3`),
    ])
      expect(codeOf(await send(text))).toBe('AA')
    expect(await waiting(one)).toHaveLength(3)
    expect(codeOf(await send(ofOrder(one.mrn, 'O-1', `${one.number}-4`)))).toBe('AA')
    expect(await waiting(one)).toHaveLength(3)
    const removed = await query(
      `select detail from audit where action = 'REPORT_REMOVE' and detail ->> 'report' = '${one.number}'`,
    )
    expect(removed).toMatchObject([{ detail: { control_id: `${one.number}-1`, replaced_by: `${one.number}-4` } }])
  })

  it('is held once however often it comes, and beside one of another sender under the same number', async () => {
    const names = makeNames()
    const text = report(names, 'F', first)
    expect([codeOf(await send(text)), codeOf(await send(text))]).toEqual(['AA', 'AA'])
    expect(codeOf(await send(report(names, 'F', second, { from: 'DOSE' })))).toBe('AA')
    expect((await waiting(names)).map((one: { sender: string }) => one.sender).toSorted()).toEqual([
      'DOSE NORTH',
      'RIS NORTH',
    ])
    const exam = await addExam(names)
    await attach()
    expect(await filenamesOf(exam)).toHaveLength(2)
  })

  it('stays, with the reason, where the exam that comes is of another patient, and keeps no bytes meanwhile', async () => {
    const names = makeNames()
    expect(codeOf(await send(report(names, 'F', first)))).toBe('AA')
    const exam = await addExam(names, { patientid: 'SOMEBODY' })
    const before = await countObjects()
    await attach()
    expect(await filenamesOf(exam)).toEqual([])
    expect(await waiting(names)).toMatchObject([{ reason: 'The exam is of a patient with another number' }])
    expect(await countObjects()).toBe(before)
    // somebody corrects the exam
    await query(`update study set patientid = '${names.mrn}' where uuid = '${exam}'`)
    await attach()
    expect(await filenamesOf(exam)).toHaveLength(1)
  })

  it('is attached beside another report of its message whose exam is here, or neither is', async () => {
    const [here, coming] = [makeNames(), makeNames()]
    coming.mrn = here.mrn
    const exam = await addExam(here)
    const both = [pidOf(here.mrn), obrOf(here, 'F'), pdfLine(first), obrOf(coming, 'F'), pdfLine(second)]
    expect(codeOf(await send(message('ORU^R01', both)))).toBe('AA')
    expect([await filenamesOf(exam), (await waiting(coming)).length]).toEqual([
      [`Report ${here.accession} final.pdf`],
      1,
    ])
    const other = makeNames()
    const mixed = [pidOf('P-OTHER'), obrOf(other, 'F'), pdfLine(first), obrOf(here, 'F'), pdfLine(second)]
    expect(conditionOf(await send(message('ORU^R01', mixed)))).toEqual(['PID^1^3', '103'])
    expect(await waiting(other)).toEqual([])
  })

  it('is refused, to come again later, where as many wait as a place holds', async () => {
    const place = { accountUuid, namespaceUuid: small.namespaceUuid }
    await query(`insert into waiting_report (uuid, account_uuid, namespace_uuid, sender, control_id, digest, type, address,
        patientid, issuer, patient_name, patient_birth_date, patient_sex, number, status, study_uid, accession_number,
        order_numbers, bytes)
      select gen_random_uuid(), '${accountUuid}', '${small.namespaceUuid}', 'RIS', '1', '\\x00', 'ORU^R01', '', '', '', '', '',
        '', 'N' || n, 'final', '', 'X' || n, '{}', 1 from generate_series(1, ${mostWaiting.reports - 1}) n`)
    const [last, late] = [makeNames(), makeNames()]
    const to = (names: Names) => send(report(names, 'F', first, { to: 'SMALL' }))
    expect(codeOf(await to(last))).toBe('AA')
    const answer = await to(late)
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AR', ['OBR^1^18', '207']])
    await query(`delete from waiting_report where namespace_uuid = '${small.namespaceUuid}'`)
    await query(
      `update waiting_report set bytes = ${mostWaiting.bytes} where uuid = '${await makeWaitingReport(app, place)}'`,
    )
    expect(codeOf(await to(late))).toBe('AR')
    await query(`delete from waiting_report where namespace_uuid = '${small.namespaceUuid}'`)
    expect(codeOf(await to(late))).toBe('AA')
  })

  it('is listed to those who see the orders of its place, and removed by those who may edit them, on record', async () => {
    const names = makeNames()
    expect(codeOf(await send(report(names, 'F', first)))).toBe('AA')
    const [{ uuid }] = await waiting(names)
    const reader = await organisation.addPerson({ role: 'Clinician', groups: [group] })
    const stranger = await organisation.addPerson({ role: 'Administrator', groups: [elsewhere] })
    const list = async (asker: string) =>
      (await call('order/report/list', { sid: asker, account_id: accountUuid })).body.reports.length
    expect([(await list(reader.sid)) > 0, await list(stranger.sid)]).toEqual([true, 0])
    const remove = async (asker: string) => (await call('order/report/delete', { sid: asker, uuid })).body
    expect((await remove(reader.sid)).error_type).toBe('NOT_PERMITTED')
    expect((await remove(stranger.sid)).error_type).toBe('NOT_FOUND')
    expect((await remove(sid)).status).toBe('OK')
    expect(await waiting(names)).toEqual([])
    expect(
      await query(
        `select detail ->> 'report' as report from audit where action = 'REPORT_REMOVE' and object_uuid = '${group.namespaceUuid}' and actor is not null`,
      ),
    ).toEqual([{ report: names.number }])
  })
})

describe('a report that somebody gave to an exam that it does not name', () => {
  /** An exam of the patient, and a report with a mistyped accession number that was given to it. */
  async function giveOne() {
    const names = makeNames()
    const exam = await addExam(names)
    const mistyped = { ...names, accession: `X-${names.accession}` }
    expect(codeOf(await send(report(mistyped, 'F', first)))).toBe('AA')
    const [{ uuid }] = await waiting(names)
    expect((await call('order/report/attach', { sid, uuid, study_id: exam })).body.status).toBe('OK')
    expect(await filenamesOf(exam)).toEqual([`Report ${names.accession} final.pdf`])
    return { names, exam, mistyped }
  }

  it('is followed there by later versions and by its withdrawal', async () => {
    const { names, exam, mistyped } = await giveOne()
    expect(codeOf(await send(report(mistyped, 'C', second)))).toBe('AA')
    // earlier versions stay beside the last one
    expect((await filenamesOf(exam)).at(-1)).toBe(`Report ${names.accession} corrected.pdf`)
    expect(await waiting(names)).toEqual([])
    expect(codeOf(await send(report(mistyped, 'X')))).toBe('AA')
    expect(await filenamesOf(exam)).toEqual([])
  })

  it('is followed by no report of another patient or exam under its number', async () => {
    const { names, exam, mistyped } = await giveOne()
    const before = await filesOf(exam)
    const other = { ...mistyped, mrn: makeNames().mrn }
    expect(codeOf(await send(report(other, 'F', second)))).toBe('AA')
    const elsewhere = { ...mistyped, accession: makeNames().accession }
    expect(codeOf(await send(report(elsewhere, 'F', second)))).toBe('AA')
    expect(await waiting(names)).toHaveLength(2)
    expect(await filesOf(exam)).toEqual(before)
  })

  it('is not followed into an exam that became somebody else’s', async () => {
    const { names, exam, mistyped } = await giveOne()
    const before = await filesOf(exam)
    await query(`update study set patientid = '${makeNames().mrn}' where uuid = '${exam}'`)
    const answer = await send(report(mistyped, 'C', second))
    expect([codeOf(answer), conditionOf(answer)?.[1]]).toEqual(['AE', '103'])
    expect(await filesOf(exam)).toEqual(before)
    expect(await waiting(names)).toEqual([])
  })
})
