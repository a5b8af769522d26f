import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { madeImage, uploadImage } from '../../test/made-image.ts'
import { makeRequest } from '../../test/make-link.ts'
import { makeSeparation } from '../../test/make-separation.ts'
import { makeWaitingReport } from '../../test/make-waiting-report.ts'
import { type Member, startStorage } from '../../test/storage-fixture.ts'
import { sealAudit } from '../areas/audit/seal-audit.job.ts'
import { verifyAudit } from '../areas/audit/verify-audit.command.ts'
import { findHoldOn } from '../areas/storage/hold.sql.ts'
import { markDeleted } from '../areas/retention/deleted-mark.sql.ts'
import { purge } from '../areas/retention/purge.job.ts'
import { CommandError } from './command-error.ts'
import { patientCommand } from './patient.ts'

const storage = await startStorage()
const { services, query, url } = storage
vi.stubEnv('DATABASE_URL', url)
vi.stubEnv('HILUM_DATA', services.config.dataFolder)
const scratch = await mkdtemp(join(tmpdir(), 'hilum-patient-'))
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(scratch, { recursive: true, force: true })
})

/** The command's exit code and words; it runs beside the server. */
async function hilum(...args: string[]): Promise<{ code: number; said: string }> {
  const said: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
  try {
    return { code: await patientCommand(args), said: said.join('') }
  } finally {
    write.mockRestore()
  }
}

async function makeExam(member: Member, patientId: string, more: object = {}) {
  const studyUid = newUid()
  const image = madeImage({ studyUid, number: 1, patientId, patientName: 'Doe^Jane', ...more })
  await uploadImage(storage, member, image)
  return { studyUid, image }
}
const addMember = () => storage.addMember(['study_upload', 'study_view', 'study_delete'])
const exams = async (member: Member) =>
  (await query<{ study_uid: string }>(`select study_uid from study where phi_namespace = '${member.namespace}'`)).map(
    (row) => row.study_uid,
  )
const countOf = async (table: string, where: string) =>
  (await query<{ count: number }>(`select count(*)::integer as count from ${table} where ${where}`))[0]?.count

it('reports first, and with the number of exams removes a patient for good, beside others who stay', async () => {
  const member = await addMember()
  const { studyUid } = await makeExam(member, 'ERASE-1')
  await makeExam(member, 'erase-1')
  const other = await makeExam(member, 'OTHER-1')
  await query(`insert into imaging_order (account_uuid, uuid, patientid, issuer, patient_name)
    values ('${member.account}', gen_random_uuid(), 'ERASE-1', '', 'Doe^Jane')`)
  await query(`insert into audit (account_uuid, action, type, object_uuid, detail)
    select account_uuid, 'STUDY_EDIT', 'Study', uuid, '{"before":"Doe^Jane"}' from study where study_uid = '${studyUid}'`)
  await query(`insert into merged_patient (namespace_uuid, prior_id, prior_issuer, patientid, issuer)
    values ('${member.namespace}', 'erase-1', '', 'MERGED-1', ''), ('${member.namespace}', 'merged-2', '', 'ERASE-1', ''),
      ('${member.namespace}', 'merged-3', '', 'OTHER-1', '')`)
  for (const uid of [studyUid, other.studyUid])
    await query(`insert into nameless_copy (uuid, phi_namespace, study_uuid, account_uuid, study_uid, copy_study_uid,
        recipient, pseudonym, days, dates, texts, pixels_seen, digest, user_uuid)
      select gen_random_uuid(), phi_namespace, uuid, account_uuid, study_uid, '2.25.' || study_uid, 'Trial', 'ANON-1', -1,
        'MOVED', '{}', false, '', '${member.user}' from study where study_uid = '${uid}'`)
  // the copy of the exam is an exam of its own, under a number that says nothing
  const copyImage = await makeExam(member, 'ANON-1')
  await query(`update nameless_copy set copy_study_uid = '${copyImage.studyUid}' where study_uid = '${studyUid}'`)
  await sealAudit(services, new Date())

  const report = await hilum('erase', 'ERASE-1', '--reason', 'Letter of 3 May')
  expect(report).toMatchObject({ code: 0, said: expect.stringContaining('3 of 3 exams would be removed for good') })
  const wrong = await hilum('erase', 'ERASE-1', '--reason', 'Letter of 3 May', '--confirm', '1')
  expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining('nothing was done') })
  expect(await exams(member)).toHaveLength(4)

  const done = await hilum('erase', 'ERASE-1', '--reason', 'Letter of 3 May', '--confirm', '3')
  expect(done).toMatchObject({ code: 0, said: expect.stringContaining('3 exams, 1 order and') })
  expect(await exams(member)).toEqual([other.studyUid])
  expect(await countOf('merged_patient', `namespace_uuid = '${member.namespace}'`)).toBe(1)
  // the key to copies without names goes with the exam
  expect(await query(`select study_uid from nameless_copy where phi_namespace = '${member.namespace}'`)).toEqual([
    { study_uid: other.studyUid },
  ])
  expect(await countOf('stored_study', `storage_namespace = '${member.namespace}'`)).toBe(1)
  expect(await countOf('instance', `storage_namespace = '${member.namespace}'`)).toBe(1)
  await purge(services, new Date(Date.now() + 2 * 86_400_000))
  expect(await countOf('blob', `account_uuid = '${member.account}'`)).toBe(1)
  expect(await countOf('audit', `account_uuid = '${member.account}' and detail::text like '%Doe^Jane%'`)).toBe(0)
  expect(
    await query(`select action, type from audit where account_uuid = '${member.account}'
    and detail ->> 'reason' = 'Letter of 3 May' order by id`),
  ).toEqual(
    expect.arrayContaining([
      { action: 'PURGE', type: 'Study' },
      { action: 'AUDIT_ERASE', type: 'Audit' },
      { action: 'PURGE', type: 'Account' },
    ]),
  )
  expect(await verifyAudit(services.db, () => undefined)).toMatchObject({ faults: 0 })
  expect(await hilum('find', 'ERASE-1')).toMatchObject({ code: 1 })
})

it('tells webhooks that exams are gone, but for one that was deleted before, and empties what a sender filled in', async () => {
  const member = await addMember()
  const [live, deleted] = [await makeExam(member, 'TOLD-1'), await makeExam(member, 'TOLD-1')]
  const uuidOf = async (uid: string) =>
    (await query<{ uuid: string }>(`select uuid from study where study_uid = '${uid}'`))[0]?.uuid
  const key = { phi_namespace: member.namespace, uuid: (await uuidOf(deleted.studyUid)) ?? '' }
  await services.db.transaction().execute((tx) => markDeleted(tx, key, member.user))
  await query(`insert into webhook (uuid, account_uuid, name, event, url, method, parameters, sealed_secret)
    values (gen_random_uuid(), '${member.account}', 'Registry', 'STUDY_DELETE', 'https://127.0.0.1:9/', 'POST', '{}', '')`)
  const link = await makeRequest(services.db, {
    accountUuid: member.account,
    namespaceUuid: member.namespace,
    createdBy: member.user,
  })
  await query(`insert into link_upload (link_uuid, study_uid, namespace_uuid, image_count, customfields)
    select '${link}', uid, '${member.namespace}', 1, '{"a":"Doe^Jane"}'
    from unnest(array['${live.studyUid}', '${newUid()}']) uid`)
  const uuid = await uuidOf(live.studyUid)
  expect(
    (await hilum('erase', 'TOLD-1', '--account', member.account, '--reason', 'asked', '--confirm', '2')).code,
  ).toBe(0)
  expect(await exams(member)).toEqual([])
  expect(
    await query(`select d.event, d.study_uuid from webhook_delivery d
      join webhook w on w.uuid = d.webhook_uuid and w.account_uuid = '${member.account}'`),
  ).toEqual([{ event: 'STUDY_DELETE', study_uuid: uuid }])
  expect(await countOf('link_upload', `link_uuid = '${link}' and customfields <> '{}'`)).toBe(1)
})

it('keeps what a hold, a date of retention, or another patient’s images keep, and says why', async () => {
  const member = await addMember()
  const [free, held, dated, mixed] = [
    await makeExam(member, 'KEEP-1'),
    await makeExam(member, 'KEEP-1'),
    await makeExam(member, 'KEEP-1'),
    await makeExam(member, 'KEEP-1'),
  ]
  await query(`update study set hold = true where study_uid = '${held.studyUid}'`)
  await query(`update study set retain_until = now() + interval '1 year' where study_uid = '${dated.studyUid}'`)
  await query(`update study set mixed_patients = true where study_uid = '${mixed.studyUid}'`)
  const { code, said } = await hilum('erase', 'KEEP-1', '--reason', 'asked', '--confirm', '1')
  expect(code).toBe(1)
  for (const words of ['a legal hold', 'rule of retention', 'name several patients']) expect(said).toContain(words)
  expect((await exams(member)).toSorted()).toEqual([held, dated, mixed].map(({ studyUid }) => studyUid).toSorted())
  expect(await exams(member)).not.toContain(free.studyUid)
})

it('holds a patient until the hold is ended, on record', async () => {
  const member = await addMember()
  await makeExam(member, 'HOLD-1')
  expect((await hilum('hold', 'HOLD-1', '--reason', 'court')).code).toBe(0)
  expect((await hilum('find', 'HOLD-1')).said).toContain('HELD')
  const refused = await hilum('erase', 'HOLD-1', '--reason', 'asked')
  expect(refused.said).toContain('0 of 1 exam would be removed')
  expect(refused.said).toContain('hilum patient release')
  expect(refused.said).not.toContain('--confirm')
  expect((await hilum('erase', 'HOLD-1', '--reason', 'asked', '--confirm', '0')).code).toBe(1)
  expect(await exams(member)).toHaveLength(1)
  expect((await hilum('release', 'HOLD-1', '--reason', 'closed')).code).toBe(0)
  expect((await hilum('erase', 'HOLD-1', '--reason', 'asked', '--confirm', '1')).code).toBe(0)
  expect(await exams(member)).toEqual([])
  expect(
    await query(
      `select action from audit where account_uuid = '${member.account}' and action like 'HOLD%' order by id`,
    ),
  ).toEqual([{ action: 'HOLD' }, { action: 'HOLD_END' }])
})

it('finds, exports and erases a patient whom reports that wait for an exam name alone, under each issuer and number', async () => {
  const member = await addMember()
  const place = { accountUuid: member.account, namespaceUuid: member.namespace }
  const reports = []
  for (const patientid of ['WAIT-1', 'WAIT-OLD', 'WAIT-2'])
    reports.push(await makeWaitingReport(storage, place, { patientid }))
  await query(
    `insert into waiting_document (report_uuid, position, ending, bytes) values ('${reports[0]}', 0, 'txt', 'Text')`,
  )
  await query(`insert into merged_patient (namespace_uuid, prior_id, prior_issuer, patientid, issuer)
    values ('${member.namespace}', 'wait-old', '', 'WAIT-1', 'NORTH')`)
  await query(`update waiting_report set issuer = 'NORTH' where uuid = '${reports[0]}'`)
  expect(await hilum('find', 'WAIT-1')).toMatchObject({ code: 0, said: expect.stringContaining('1 report waiting') })
  const folder = join(scratch, 'waiting')
  expect((await hilum('export', 'WAIT-1', folder)).code).toBe(0)
  expect(await readFile(join(folder, 'waiting-reports', `${reports[0]}`, '1.txt'), 'utf8')).toBe('Text')
  expect((await hilum('erase', 'WAIT-1', '--reason', 'asked', '--confirm', '0')).said).toContain('2 reports')
  expect(await query(`select uuid from waiting_report where account_uuid = '${member.account}'`)).toEqual([
    { uuid: reports[2] },
  ])
})

it('leaves the images to another organisation that shows them', async () => {
  const [member, receiver] = [await addMember(), await addMember()]
  const { studyUid } = await makeExam(member, 'SHARED-1')
  await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, source, created, updated)
    values ('${receiver.namespace}', gen_random_uuid(), '${studyUid}', '${member.namespace}', '${receiver.account}', 'share', now(), now())`)
  await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, '${member.namespace}' from study where phi_namespace = '${receiver.namespace}'`)
  const { said } = await hilum('erase', 'SHARED-1', '--reason', 'asked', '--confirm', '1')
  expect(said).toContain('shown by 1 exam of other organisations, too')
  expect([await exams(member), await exams(receiver)]).toEqual([[], [studyUid]])
  expect(await countOf('instance', `storage_namespace = '${member.namespace}'`)).toBe(1)
})

it('takes out of moves of images of another organisation what they noted of the exam, and leaves what they noted of others', async () => {
  const [sender, receiver] = [await addMember(), await addMember()]
  const sent = await makeExam(sender, 'SENT-1')
  await makeExam(receiver, 'NOTED-1', { patientName: 'Noted^Name' })
  const uuidOf = async ({ namespace }: Member) =>
    (await query<{ uuid: string }>(`select uuid from study where phi_namespace = '${namespace}'`))[0]?.uuid ?? ''
  const [theirs, erased] = [await uuidOf(sender), await uuidOf(receiver)]
  const separation = await makeSeparation(storage, theirs, sender.user)
  const noted = (uuid: string, name: string) => ({ uuid, values: { patient_name: name }, edits: [], row_version: 1 })
  const before = [noted(theirs, 'Sent^Name'), noted(erased, 'Noted^Name')]
  await query(`update separation set before = '${JSON.stringify(before)}' where uuid = '${separation}'`)
  expect((await hilum('erase', 'NOTED-1', '--reason', 'asked', '--confirm', '1')).code).toBe(0)
  expect(await query(`select before from separation where uuid = '${separation}'`)).toEqual([{ before: [before[0]] }])
  expect(await exams(sender)).toEqual([sent.studyUid])
})

it('waits for no separation while it holds an exam that Undo of one waits for', async () => {
  const [sender, receiver] = [await addMember(), await addMember()]
  await makeExam(sender, 'UNDONE-1')
  await makeExam(receiver, 'WAITED-1')
  const uuidOf = async ({ namespace }: Member) =>
    (await query<{ uuid: string }>(`select uuid from study where phi_namespace = '${namespace}'`))[0]?.uuid ?? ''
  const erased = await uuidOf(receiver)
  const separation = await makeSeparation(storage, await uuidOf(sender), sender.user)
  await query(`update separation set before = '${JSON.stringify([{ uuid: erased }])}' where uuid = '${separation}'`)
  const waiting = () =>
    query(`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and backend_type = 'client backend'`)
  // as Undo does: the separation, then the exams that show its images
  const erasing = await services.db.transaction().execute(async (tx) => {
    await sql`select from separation where uuid = ${separation} for update`.execute(tx)
    const running = hilum('erase', 'WAITED-1', '--reason', 'asked', '--confirm', '1')
    await expect.poll(waiting).toHaveLength(1)
    await sql`select from study where uuid = ${erased} for update`.execute(tx)
    return { running }
  })
  expect((await erasing.running).code).toBe(0)
  expect(await exams(receiver)).toEqual([])
  expect(await query(`select before from separation where uuid = '${separation}'`)).toEqual([{ before: [] }])
})

it('counts an image once that two sources of an exam hold', async () => {
  const [member, sender] = [await addMember(), await addMember()]
  const { studyUid, image } = await makeExam(member, 'TWICE-1')
  await uploadImage(storage, sender, image)
  await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, '${sender.namespace}' from study
    where phi_namespace = '${member.namespace}' and study_uid = '${studyUid}'`)
  const { said } = await hilum('find', 'TWICE-1')
  expect(said.match(/\d+ images?/g)).toEqual(['1 image', '1 image'])
})

it('hands out both images of one name that two sources hold, and the same bytes once', async () => {
  const [member, sender] = [await addMember(), await addMember()]
  const { studyUid, image } = await makeExam(member, 'NAMESAKE-1')
  const another = madeImage({ studyUid, number: 1, patientId: 'NAMESAKE-2' })
  const same = madeImage({ studyUid, number: 2, patientId: 'NAMESAKE-1' })
  for (const bytes of [another, same]) await uploadImage(storage, sender, bytes)
  await uploadImage(storage, member, same)
  await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, '${sender.namespace}' from study
    where phi_namespace = '${member.namespace}' and study_uid = '${studyUid}'`)
  const folder = join(scratch, 'both')
  expect((await hilum('export', 'NAMESAKE-1', folder)).said).toContain('1 exam with 3 files')
  const [uuid = ''] = await readdir(folder)
  const images = join(folder, uuid, 'images')
  const files = (await readdir(images)).toSorted()
  expect(files).toHaveLength(3)
  expect(files).toEqual(expect.arrayContaining([`${studyUid}.1.1.dcm`, `${studyUid}.1.2.dcm`]))
  expect((await readFile(join(images, `${studyUid}.1.1.dcm`))).equals(image)).toBe(true)
  const beside = files.find((file) => file.includes('.1.1-')) ?? ''
  expect((await readFile(join(images, beside))).equals(another)).toBe(true)
})

it('hands out what is known, what is on record, and the bytes as they are stored', async () => {
  const member = await addMember()
  const { image, studyUid } = await makeExam(member, 'OUT-1')
  const folder = join(scratch, 'out')
  expect(await hilum('export', 'OUT-1', folder)).toMatchObject({
    code: 0,
    said: expect.stringContaining('1 exam with 1 file'),
  })
  const [uuid = ''] = await readdir(folder)
  const [file = ''] = await readdir(join(folder, uuid, 'images'))
  expect((await readFile(join(folder, uuid, 'images', file))).equals(image)).toBe(true)
  expect(JSON.parse(await readFile(join(folder, uuid, 'exam.json'), 'utf8'))).toMatchObject({
    study_uid: studyUid,
    patientid: 'OUT-1',
  })
  await expect(hilum('export', 'OUT-1', folder)).rejects.toThrow('there already')
})

it('asks whose when several organisations have the number, and refuses what it does not know', async () => {
  const [one, two] = [await addMember(), await addMember()]
  for (const member of [one, two]) await makeExam(member, 'TWICE-1')
  await expect(hilum('hold', 'TWICE-1', '--reason', 'x')).rejects.toThrow('Say whose by --account')
  expect((await hilum('hold', 'TWICE-1', '--reason', 'x', '--account', one.account)).code).toBe(0)
  expect(await countOf('patient_hold', `account_uuid = '${two.account}'`)).toBe(0)
  await expect(hilum('erase', 'NOBODY-1', '--reason', 'x')).rejects.toThrow('Nobody has the MRN')
  await expect(hilum('erase', 'TWICE-1', '--account', one.account)).rejects.toThrow('A reason is put on record')
  await expect(hilum('forget', 'TWICE-1', '--account', one.account, '--reason', 'x')).rejects.toThrow(CommandError)
})

it('holds exams of the patient whose number is typed otherwise, those that came since among them', async () => {
  const member = await addMember()
  await makeExam(member, 'SPELT-1')
  expect((await hilum('hold', 'SPELT-1', '--reason', 'court')).code).toBe(0)
  await makeExam(member, ' spelt\u20111')
  expect((await hilum('erase', 'SPELT-1', '--reason', 'asked')).said).toContain('0 of 2 exams')
  const since = await query<{ phi_namespace: string; uuid: string; study_uid: string; generation: number }>(
    `select phi_namespace, uuid, study_uid, 1 as generation from study
     where phi_namespace = '${member.namespace}' and patientid <> 'SPELT-1'`,
  )
  expect(since).toHaveLength(1)
  for (const { phi_namespace, uuid, study_uid, generation } of since) {
    const byTransaction = services.db.transaction()
    const stored = { storage_namespace: phi_namespace, study_uid, generation }
    expect(await byTransaction.execute((tx) => markDeleted(tx, { phi_namespace, uuid }, member.user))).toBe('held')
    expect(await findHoldOn(services.db, [stored])).toBe('hold')
  }
})

it('ends a hold on a patient of whom no exam is left', async () => {
  const member = await addMember()
  await query(`insert into patient_hold (account_uuid, issuer, patientid, reason)
    values ('${member.account}', '', 'LEFT-1', 'court')`)
  expect((await hilum('find', 'left-1')).said).toContain('HELD')
  expect((await hilum('release', 'left-1', '--reason', 'closed')).code).toBe(0)
  expect((await hilum('find', 'LEFT-1')).code).toBe(1)
})

it('leaves what requests expect of somebody else with the same number, from another issuer', async () => {
  const member = await addMember()
  await query(`update account set issuer = '' where uuid = '${member.account}'`)
  await query(`with made as (
      insert into link (uuid, account_uuid, created_by, action, permissions, expires_at, secret_digest)
      values (gen_random_uuid(), '${member.account}', '${member.user}', 'STUDY_UPLOAD', '{}', now() + interval '1 day', '\\x01')
      returning uuid
    )
    insert into link_request (link_uuid, namespace_uuid, patient_name, patient_birth_date, patient_sex, patientid)
    select uuid, '${member.namespace}', 'Roe^Ann', '', '', 'ISSUED-1' from made`)
  for (const issuer of ['ELSEWHERE', '']) {
    await query(`insert into imaging_order (account_uuid, uuid, patientid, issuer, patient_name)
      values ('${member.account}', gen_random_uuid(), 'ISSUED-1', '${issuer}', 'Doe^Jane')`)
    const acts = ['erase', 'ISSUED-1', '--issuer', issuer, '--reason', 'asked', '--confirm', '0']
    expect((await hilum(...acts)).code).toBe(0)
    const left = await countOf('link_request', `namespace_uuid = '${member.namespace}' and patientid = 'ISSUED-1'`)
    expect(left).toBe(issuer === '' ? 0 : 1)
  }
})

it('removes at once what exams in two groups of the organisation share', async () => {
  const [member, other] = [await addMember(), await addMember()]
  const { studyUid } = await makeExam(member, 'BOTH-1')
  await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, source, patientid, study_date, created, updated)
    values ('${other.namespace}', gen_random_uuid(), '${studyUid}', '${member.namespace}', '${member.account}', 'share', 'BOTH-1', '20990101', now(), now())`)
  await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, '${member.namespace}' from study where phi_namespace = '${other.namespace}'`)
  expect((await hilum('erase', 'BOTH-1', '--reason', 'asked', '--confirm', '2')).code).toBe(0)
  expect(await countOf('stored_study', `study_uid = '${studyUid}'`)).toBe(0)
  expect(await countOf('instance', `storage_namespace = '${member.namespace}'`)).toBe(0)
})

it('keeps exams of a patient through a day, or one of them, and takes the day back, on record', async () => {
  const member = await addMember()
  const [one, other] = [await makeExam(member, 'KEEPS-1'), await makeExam(member, 'KEEPS-1')]
  await expect(hilum('keep', 'KEEPS-1', '--reason', 'x', '--until', '2036-02-30')).rejects.toThrow('through which day')
  await expect(hilum('keep', 'KEEPS-1', '--reason', 'x')).rejects.toThrow('through which day')
  for (const slip of ['2006-12-31', ''])
    await expect(hilum('keep', 'KEEPS-1', '--reason', 'x', '--until', slip)).rejects.toThrow('not over')
  const until = ['--until', '2096-12-31', '--reason', 'Trial 7']
  await expect(hilum('keep', 'KEEPS-1', ...until, '--study', '1.2.3')).rejects.toThrow('No such exam')
  expect(await hilum('keep', 'KEEPS-1', ...until, '--study', one.studyUid)).toMatchObject({
    code: 0,
    said: expect.stringContaining('1 exam: kept through 2096-12-31'),
  })
  expect((await hilum('find', 'KEEPS-1')).said).toContain(
    'to be kept through 2096-12-31, stays because of a date or rule',
  )
  expect((await hilum('erase', 'KEEPS-1', '--reason', 'asked')).said).toContain('1 of 2 exams')
  expect((await hilum('keep', 'KEEPS-1', ...until)).said).toContain('2 exams')
  expect((await hilum('keep', 'KEEPS-1', '--until', 'none', '--reason', 'Over')).said).toContain('no date of retention')
  expect((await hilum('erase', 'KEEPS-1', '--reason', 'asked')).said).toContain('2 of 2 exams')
  expect(
    await query(`select distinct detail ->> 'machine_user' <> '' as by_machine, detail ->> 'reason' as reason from audit
      where account_uuid = '${member.account}' and detail ? 'retain_until' order by 2`),
  ).toEqual([
    { by_machine: true, reason: 'Over' },
    { by_machine: true, reason: 'Trial 7' },
  ])
  expect(await exams(member)).toContain(other.studyUid)
})

it('names exams that only their images, or an earlier correction, connect with the number, and leaves them alone', async () => {
  const member = await addMember()
  const [byImages, corrected, own] = [
    await makeExam(member, 'WAS-1'),
    await makeExam(member, 'NEVER-1'),
    await makeExam(member, 'WAS-1', { patientName: 'Doe^Jane' }),
  ]
  await query(`update study set patientid = 'IS-1' where study_uid = '${byImages.studyUid}'`)
  await query(`insert into audit (account_uuid, action, type, object_uuid, phi_namespace, detail)
    select account_uuid, 'EDIT', 'Study', uuid, phi_namespace, '{"patientid": ["was-1", "NEVER-1"], "mrn_held": {}}'
    from study where study_uid = '${corrected.studyUid}'`)
  const { code, said } = await hilum('find', 'WAS-1')
  expect(code).toBe(0)
  const lineOf = (text: string, uid: string) => text.split('\n').find((line) => line.includes(uid)) ?? ''
  expect(lineOf(said, byImages.studyUid)).toMatch(/MRN IS-1, .*: its images name the number \(/)
  expect(lineOf(said, corrected.studyUid)).toMatch(/MRN NEVER-1, .*: it had the number before a correction \(/)
  expect(said).not.toContain(own.studyUid)
  const report = await hilum('erase', 'WAS-1', '--reason', 'asked')
  expect(report.said).toContain('1 of 1 exam would')
  expect(report.said).toContain('not among what is erased here')
  expect((await hilum('erase', 'WAS-1', '--reason', 'asked', '--confirm', '1')).code).toBe(0)
  expect((await exams(member)).toSorted()).toEqual([byImages.studyUid, corrected.studyUid].toSorted())
  // nobody has the number any more, and the exams are found all the same
  expect(await hilum('find', 'WAS-1')).toMatchObject({ code: 0, said: expect.stringContaining(byImages.studyUid) })
  await expect(hilum('export', 'WAS-1', join(scratch, 'was'))).rejects.toThrow('Nobody has the MRN')
})
