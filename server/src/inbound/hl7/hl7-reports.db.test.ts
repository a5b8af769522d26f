import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { codeOf, conditionOf, type Hl7Header, message, openHl7Sender, pidOf } from '../../../test/hl7-sender.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, type StudyFields } from '../../../test/make-studies.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openHl7Listener } from './open-hl7-listener.ts'

const { services, app, call, query } = await startTestApp({ HILUM_HL7_PORT: '0' })
const listeners = await openHl7Listener(services)
afterAll(() => listeners.close())
const organisation = await makeOrganisation(services.db)
const [group, elsewhere] = [await organisation.addGroup(), await organisation.addGroup()]
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group, elsewhere] })
await putSetting(services.db, 'namespace', group.namespaceUuid, aeTitleSetting, 'WARD')

/** A patient and an exam that other tests do not meet. */
async function makeExam(fields: Partial<StudyFields> = {}) {
  const mark = randomUUID().slice(0, 8)
  const names = { mrn: `P-${mark}`, accession: `A-${mark}`, number: `R-${mark}` }
  const study = {
    phi_namespace: group.namespaceUuid,
    patient_name: 'DOE^JANE',
    patientid: names.mrn,
    patient_birth_date: '19700102',
    patient_sex: 'F',
    accession_number: names.accession,
    ...fields,
  }
  const [uuid = ''] = await makeStudies(services.db, organisation.accountUuid, [study])
  return { ...names, uuid }
}
type Exam = Awaited<ReturnType<typeof makeExam>>

const [first, second] = [madePdf([[200, 200]]), madePdf([[300, 200]])]
const pdfLine = (pdf: Buffer, status = '') =>
  `OBX|1|ED|PDF||^application^pdf^Base64^${pdf.toString('base64')}${'|'.repeat(6)}${status}`
const textLine = (text: string, status = '') => `OBX|2|FT|GDT||${text}${'|'.repeat(6)}${status}`
/** OBR with its number in OBR-3, the accession number in OBR-18 and the status in OBR-25. */
const obrOf = (exam: Pick<Exam, 'number' | 'accession'>, status: string) =>
  `OBR|1||${exam.number}|X^Head${'|'.repeat(14)}${exam.accession}${'|'.repeat(7)}${status}`
const report = (exam: Exam, status: string, lines: readonly string[], header?: Hl7Header) =>
  message('ORU^R01', [pidOf(exam.mrn), obrOf(exam, status), ...lines], header)
const send = (text: string) => openHl7Sender(listeners.port).ask(text)

/** Files that lie in the folder of objects. */
async function countObjects(): Promise<number> {
  const found = await readdir(services.config.dataFolder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile() && entry.parentPath.includes('attachments')).length
}

interface Attached {
  id: string
  version: string
  filename: string
}
async function attachmentsOf({ uuid }: Exam): Promise<Attached[]> {
  const { body } = await call('study/get', { sid, uuid })
  const address = `/api/v3/storage/study/${body.storage_namespace}/${body.study_uid}`
  const names = `sid=${sid}&phi_namespace=${body.phi_namespace}`
  const { attachments } = (await app.inject(`${address}/schema?attachments_only=1&${names}`)).json<{
    attachments: Attached[]
  }>()
  expect(body.attachment_count).toBe(attachments.length)
  return attachments
}
async function bytesOf(exam: Exam, { id, version }: Attached): Promise<Buffer> {
  const { body } = await call('study/get', { sid, uuid: exam.uuid })
  const address = `/api/v3/storage/study/${body.storage_namespace}/${body.study_uid}/attachment/${id}/version/${version}`
  return (await app.inject(`${address}?sid=${sid}&phi_namespace=${body.phi_namespace}`)).rawPayload
}
const filenamesOf = async (exam: Exam) => (await attachmentsOf(exam)).map((one) => one.filename)

describe('reports by HL7', () => {
  it('tells webhooks of no report of an exam that waits for approval', async () => {
    const hook = { sid, account_id: organisation.accountUuid, name: 'Reports', method: 'POST_JSON' }
    const { body } = await call('webhook/add', { ...hook, event: 'STUDY_REPORT', url: 'https://hooks.example.org/in' })
    const [waits, open] = [await makeExam(), await makeExam()]
    await query(`update study set must_approve = true where uuid = '${waits.uuid}'`)
    for (const exam of [waits, open]) expect(codeOf(await send(report(exam, 'F', [pdfLine(first)])))).toBe('AA')
    const told = await query(`select study_uuid from webhook_delivery where webhook_uuid = '${body.uuid as string}'`)
    expect(told).toEqual([{ study_uuid: open.uuid }])
  })

  it('attaches the PDF and the text of a report to the exam with the accession number', async () => {
    const [exam, other] = [await makeExam(), await makeExam()]
    const text = 'First line\\.br\\Lung \\T\\ heart~No fracture'
    expect(codeOf(await send(report(exam, 'F', [pdfLine(first), textLine(text)])))).toBe('AA')
    const [pdf, words] = (await attachmentsOf(exam)).toSorted((a, b) => a.filename.localeCompare(b.filename))
    expect([pdf?.filename, words?.filename]).toEqual([
      `Report ${exam.accession} final.pdf`,
      `Report ${exam.accession} final.txt`,
    ])
    expect(pdf && (await bytesOf(exam, pdf)).equals(first)).toBe(true)
    expect(words && (await bytesOf(exam, words)).toString()).toBe('First line\nLung & heart\nNo fracture\n')
    expect(await attachmentsOf(other)).toEqual([])
  })

  it('puts a final report in the place of a preliminary one, keeps what was said before, and withdraws', async () => {
    const exam = await makeExam()
    const { ask } = openHl7Sender(listeners.port)
    const take = async (status: string, lines: string[]) => {
      expect(codeOf(await ask(report(exam, status, lines)))).toBe('AA')
      return (await attachmentsOf(exam)).map(({ id, filename }) => ({ id, filename }))
    }
    const named = (status: string, ending = 'pdf') => `Report ${exam.accession} ${status}.${ending}`
    const preliminary = await take('P', [pdfLine(first), textLine('No fracture')])
    expect(preliminary.map((one) => one.filename).toSorted()).toEqual([
      named('preliminary'),
      named('preliminary', 'txt'),
    ])
    // the text is not in the final report: what it said must not stand beside the PDF
    const final = await take('F', [pdfLine(first)])
    expect(final.map((one) => one.filename)).toEqual([named('final'), named('preliminary')])
    expect(new Set(final.map((one) => one.id)).size).toBe(1)
    const corrected = await take('C', [pdfLine(second)])
    expect(corrected.map((one) => one.filename)).toEqual([named('corrected'), named('final'), named('preliminary')])
    expect(await take('X', [])).toEqual([])
    expect(await take('F', [pdfLine(second)])).toHaveLength(1)
    expect(await take('F', [pdfLine(second, 'W')])).toEqual([])
  })

  it.each(['hold', 'is_frozen'])(
    'takes no document away while %s keeps the exam, and names what holds no more',
    async (mark) => {
      const exam = await makeExam()
      const { ask } = openHl7Sender(listeners.port)
      const take = async (text: string) => {
        expect(codeOf(await ask(text))).toBe('AA')
        return (await filenamesOf(exam)).toSorted()
      }
      const named = (words: string) => `Report ${exam.accession} ${words}`
      await take(report(exam, 'P', [pdfLine(first), textLine('No fracture')]))
      await query(`update study set ${mark} = true where uuid = '${exam.uuid}'`)
      const final = report(exam, 'F', [pdfLine(second)])
      expect(await take(final)).toEqual(['final.pdf', 'preliminary (replaced).txt', 'preliminary.pdf'].map(named))
      const withdrawn = ['final (withdrawn).pdf', 'preliminary (withdrawn).pdf', 'preliminary (withdrawn).txt'].map(
        named,
      )
      expect(await take(report(exam, 'X', []))).toEqual(withdrawn)
      // once more: nothing becomes different, and nothing is put on record
      expect(await take(report(exam, 'X', []))).toEqual(withdrawn)
      const rows = await query(`
      select action, count(*)::integer as count from audit
      where object_uuid = '${exam.uuid}' and action in ('REPORT_KEPT', 'REPORT_REMOVE') group by action`)
      expect(rows).toEqual([{ action: 'REPORT_KEPT', count: 4 }])
      const [pdf] = (await attachmentsOf(exam)).filter((one) => one.filename === withdrawn[0])
      expect(pdf && (await bytesOf(exam, pdf)).equals(second)).toBe(true)
      // the final report holds again: as much an act as its withdrawal
      const [last] = await query<{ id: number }>('select max(id)::integer as id from event')
      const written = () =>
        query(`
        select (select count(*)::integer from audit where object_uuid = '${exam.uuid}' and action = 'REPORT_UPLOAD') as acts,
          (select count(*)::integer from audit where object_uuid = '${exam.uuid}' and action = 'REPORT_UPLOAD'
            and detail ->> 'report' = 'final' and detail ->> 'attachment' = '${pdf?.id}') as of_final,
          (select count(*)::integer from event where uuid = '${exam.uuid}' and id > ${last?.id ?? 0}) as events`)
      expect(await written()).toEqual([{ acts: 3, of_final: 1, events: 0 }])
      const again = ['final.pdf', 'preliminary (replaced).txt', 'preliminary (withdrawn).pdf'].map(named)
      for (let time = 1; time <= 2; time += 1) {
        // the same message, after the days for which it would have been known
        await query(`delete from order_message where namespace_uuid = '${group.namespaceUuid}'`)
        expect(await take(final)).toEqual(again)
        expect(await written()).toMatchObject([{ acts: 4, of_final: 2, events: 2 }])
      }
      await query(`update study set ${mark} = false where uuid = '${exam.uuid}'`)
      expect(await take(report(exam, 'X', []))).toEqual([])
    },
  )

  it('finds the exam by its order and by the study UID, and keeps two reports of one exam apart', async () => {
    const exam = await makeExam()
    const order = [pidOf(exam.mrn), `ORC|NW|O-${exam.mrn}`, obrOf({ number: '', accession: exam.accession }, '')]
    expect(codeOf(await send(message('ORM^O01', order)))).toBe('AA')
    const byOrder = [pidOf(exam.mrn), `ORC|RE|O-${exam.mrn}`, `OBR|1|O-${exam.mrn}|${exam.number}`, pdfLine(first, 'F')]
    expect(codeOf(await send(message('ORU^R01', byOrder)))).toBe('AA')
    const { study_uid } = (await call('study/get', { sid, uuid: exam.uuid })).body
    const byUid = [pidOf(exam.mrn), `OBR|1||2-${exam.number}`, pdfLine(second, 'P'), `ZDS|${study_uid}^RIS`]
    expect(codeOf(await send(message('ORU^R01', byUid)))).toBe('AA')
    expect((await filenamesOf(exam)).toSorted()).toEqual([
      `Report ${exam.accession} final.pdf`,
      `Report ${exam.accession} preliminary.pdf`,
    ])
  })

  it('attaches nothing where the exam could be of another patient, and says so', async () => {
    const exam = await makeExam()
    const of = (pid: string) => send(message('ORU^R01', [pid, obrOf(exam, 'F'), pdfLine(first)]))
    for (const answer of [await of(pidOf('P-OTHER')), await of(pidOf(exam.mrn, 'ROE^RICHARD', '19551111'))]) {
      expect([codeOf(answer), conditionOf(answer)]).toEqual(['AE', ['PID^1^3', '103']])
    }
    await query(`update study set mixed_patients = true where uuid = '${exam.uuid}'`)
    expect(conditionOf(await of(pidOf(exam.mrn)))).toEqual(['PID^1^3', '103'])
    expect(await attachmentsOf(exam)).toEqual([])
  })

  it('attaches nothing to an exam of another place or one that is deleted', async () => {
    const [here, there] = [await makeExam(), await makeExam({ phi_namespace: elsewhere.namespaceUuid })]
    const both = [pidOf(here.mrn), obrOf(here, 'F'), pdfLine(first), obrOf(there, 'F'), pdfLine(second)]
    expect(codeOf(await send(message('ORU^R01', both)))).toBe('AA')
    expect([(await attachmentsOf(here)).length, await attachmentsOf(there)]).toEqual([1, []])
    expect((await call('study/delete', { sid, uuid: here.uuid })).body.status).toBe('OK')
    const late = await send(report(here, 'C', [pdfLine(second)]))
    expect(late).toContain('A report waits here until its exam comes')
    expect(await query(`select count(*)::integer as count from attachment where study_uuid = '${here.uuid}'`)).toEqual([
      { count: 1 },
    ])
  })

  it('finds each exam by its own report, and never by the study UID of another one', async () => {
    const one = await makeExam()
    const mark = { patientid: one.mrn, accession_number: `B-${one.accession}` }
    const two = { ...(await makeExam(mark)), mrn: one.mrn, accession: mark.accession_number }
    const { study_uid } = (await call('study/get', { sid, uuid: two.uuid })).body
    const both = [
      pidOf(one.mrn),
      obrOf(one, 'F'),
      pdfLine(first),
      obrOf(two, 'F'),
      pdfLine(second),
      `ZDS|${study_uid}^RIS`,
    ]
    expect(codeOf(await send(message('ORU^R01', both)))).toBe('AA')
    expect([await filenamesOf(one), await filenamesOf(two)]).toEqual([
      [`Report ${one.accession} final.pdf`],
      [`Report ${two.accession} final.pdf`],
    ])
  })

  it('shows the newest version, also where a report goes back to what it said before', async () => {
    const exam = await makeExam()
    for (const pdf of [first, second, first]) expect(codeOf(await send(report(exam, 'C', [pdfLine(pdf)])))).toBe('AA')
    const [newest] = await attachmentsOf(exam)
    expect(newest && (await bytesOf(exam, newest)).equals(first)).toBe(true)
  })

  it('keeps the text beside a part that is withdrawn, and the parts of one report under one number', async () => {
    const exam = await makeExam()
    const parts = [textLine('Wrong side', 'D'), textLine('Left knee', 'F')]
    expect(codeOf(await send(report(exam, '', parts)))).toBe('AA')
    const [attached] = await attachmentsOf(exam)
    expect(attached && (await bytesOf(exam, attached)).toString()).toBe('Left knee\n')
    const two = [pidOf(exam.mrn), obrOf(exam, 'F'), pdfLine(first), obrOf(exam, 'F'), textLine('Right knee')]
    expect(codeOf(await send(message('ORU^R01', two)))).toBe('AA')
    expect((await filenamesOf(exam)).filter((name) => name.endsWith('.pdf'))).toHaveLength(1)
    // another program that counts reports in the same way takes nothing of this one away
    expect(codeOf(await send(report(exam, 'F', [textLine('Dose')], { from: 'DOSE' })))).toBe('AA')
    expect((await filenamesOf(exam)).filter((name) => name.endsWith('.pdf'))).toHaveLength(1)
  })

  it('reaches an exam whose number ended in another', async () => {
    const exam = await makeExam()
    const merge = [pidOf(`${exam.mrn}-NEW`), `MRG|${exam.mrn}^^^NORTH^MR`]
    expect(codeOf(await send(message('ADT^A40', merge)))).toBe('AA')
    for (const mrn of [exam.mrn, `${exam.mrn}-NEW`]) {
      const lines = [pidOf(mrn), obrOf(exam, 'F'), pdfLine(first)]
      expect(codeOf(await send(message('ORU^R01', lines)))).toBe('AA')
    }
    expect(await filenamesOf(exam)).toHaveLength(2)
  })

  it('keeps no bytes of a report that is refused', async () => {
    const before = await countObjects()
    const exam = await makeExam()
    expect(codeOf(await send(report({ ...exam, mrn: 'P-OTHER' }, 'F', [pdfLine(madePdf([[123, 77]]))])))).toBe('AE')
    expect(await countObjects()).toBe(before)
  })

  it('changes nothing by a message that comes again', async () => {
    const exam = await makeExam()
    const text = report(exam, 'F', [pdfLine(first)])
    expect([codeOf(await send(text)), codeOf(await send(text))]).toEqual(['AA', 'AA'])
    expect(await filenamesOf(exam)).toEqual([`Report ${exam.accession} final.pdf`])
    const rows = await query<{ action: string; detail: object; actor_kind: string }>(
      `select action, actor_kind, detail from audit where object_uuid = '${exam.uuid}' and action like 'REPORT%'`,
    )
    expect(rows).toMatchObject([
      { action: 'REPORT_UPLOAD', actor_kind: 'system', detail: { report: 'final', calling_ae: 'RIS NORTH' } },
    ])
  })

  it('takes a PDF of 10 MB', async () => {
    const exam = await makeExam()
    const large = Buffer.concat([first, Buffer.alloc(10_000_000, 0x20)])
    expect(codeOf(await send(report(exam, 'F', [pdfLine(large)])))).toBe('AA')
    const [attached] = await attachmentsOf(exam)
    expect(attached && (await bytesOf(exam, attached)).equals(large)).toBe(true)
  })

  it.each([
    ['no report', [], ['OBR^1', '100']],
    ['no text and no PDF', ['OBR|1||R1', 'OBX|1|NM|SIZE||12||||||F'], ['OBX^1^5', '101']],
    ['no number', ['OBR|1', textLine('Nothing', 'F')], ['OBR^1^3', '101']],
    ['no status', ['OBR|1||R1', textLine('Nothing')], ['OBR^1^25', '103']],
    ['a status of no report', [`OBR|1||R1${'|'.repeat(22)}O`, textLine('Nothing')], ['OBR^1^25', '103']],
    ['data that are no PDF', ['OBR|1||R1', 'OBX|1|ED|X||^application^pdf^Base64^AAAA||||||F'], ['OBX^1^5', '102']],
    ['data in another encoding', ['OBR|1||R1', 'OBX|1|ED|X||^application^pdf^Hex^255044||||||F'], ['OBX^1^5', '102']],
  ])('refuses a message with %s in words', async (_words, lines, condition) => {
    const warned = vi.spyOn(services.log, 'error')
    const answer = await send(message('ORU^R01', [pidOf('P-1'), ...lines]))
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AE', condition])
    expect(warned).not.toHaveBeenCalled()
  })

  it('refuses a report without a patient', async () => {
    expect(conditionOf(await send(message('ORU^R01', ['OBR|1||R1', textLine('Nothing', 'F')])))).toEqual([
      'PID^1',
      '100',
    ])
  })
})
