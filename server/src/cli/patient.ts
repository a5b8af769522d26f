import { existsSync } from 'node:fs'
import os from 'node:os'
import { isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import { retainUntil, readLastDay } from '../areas/retention/retain-until.command.ts'
import {
  erasePatient,
  exportPatient,
  holdPatient,
  type PatientOperator,
  releasePatient,
} from '../areas/retention/patient.command.ts'
import {
  findPatients,
  listExamsNaming,
  type FoundPatient,
  type NamedExam,
  listPatientRecords,
  type PatientRecord,
} from '../areas/retention/patient.sql.ts'
import { readConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { assertPresentSchema, openInstallation } from './open-installation.ts'
import { say } from './say.ts'

const usage = `Use: hilum patient find <MRN>
     hilum patient export <MRN> <folder>
     hilum patient hold | release <MRN> --reason <words>
     hilum patient keep <MRN> --until <YYYY-MM-DD, or none> --reason <words> [--study <Study Instance UID>]
     hilum patient erase <MRN> --reason <words> [--confirm <number of exams>]
each with --account <name> and --issuer <issuer> (empty: "") where several have the number`

const reasons: Record<string, string> = {
  hold: 'a legal hold on the exam or its patient, here or where it was shared',
  frozen: 'a study that is frozen',
  retraction: 'an exam that was taken back everywhere, and is kept as it was',
  mixed: 'images that name several patients: settle on the screen whose they are',
  retention: 'a date or rule of retention',
}

/** Finds, hands out, keeps and erases what is stored of one patient. */
export async function patientCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      issuer: { type: 'string' },
      reason: { type: 'string' },
      confirm: { type: 'string' },
      until: { type: 'string' },
      study: { type: 'string' },
    },
  })
  const [act, mrn, folder, ...more] = positionals
  if (mrn === undefined || more.length > 0 || (folder !== undefined && act !== 'export')) throw new CommandError(usage)
  const config = readConfig()
  await using installation = await openInstallation(config)
  const { db, store } = installation
  await assertPresentSchema(db)
  const operator: PatientOperator = { db, config, store, machineUser: os.userInfo().username }
  const found = await findPatients(db, mrn)
  // awaited here and below: the installation is closed when this function is left
  if (act === 'find') return await sayFound(operator, mrn, found)
  if (act === 'export' || act === 'erase') await sayNamed(db, mrn, act, values)
  const one = chooseOne(found, mrn, values)
  if (act === 'export') return await exportTo(operator, one, folder)
  const reason = values.reason?.trim()
  if (!reason) throw new CommandError(`A reason is put on record: --reason "…"\n${usage}`)
  if (act === 'hold') {
    await holdPatient(operator, one, reason)
    say('Nothing of this patient is deleted, purged or erased until: hilum patient release')
    return 0
  }
  if (act === 'release') {
    const wasHeld = await releasePatient(operator, one, reason)
    say(wasHeld ? 'The hold has ended.' : 'There was no hold on this patient.')
    return wasHeld ? 0 : 1
  }
  if (act === 'keep') return await retain(operator, one, reason, values)
  if (act === 'erase') return await erase(operator, one, reason, values.confirm)
  throw new CommandError(usage)
}

/** Keeps the exams of a patient, or one of them, through a day, though they are deleted. */
async function retain(
  operator: PatientOperator,
  one: FoundPatient,
  reason: string,
  { until, study }: { until?: string | undefined; study?: string | undefined },
): Promise<number> {
  // no day, as of a variable of a script that is empty, takes nothing back
  const lastDay = until?.trim() ? readLastDay(until === 'none' ? '' : until, new Date()) : undefined
  if (lastDay === undefined)
    throw new CommandError(`Say through which day that is not over: --until 2036-12-31, or --until none\n${usage}`)
  const records = (await listPatientRecords(operator.db, one, new Date())).filter(
    (record) => study === undefined || record.study_uid === study,
  )
  if (records.length === 0) throw new CommandError('No such exam of this patient: hilum patient find names them.')
  for (const record of records) await retainUntil(operator, record, lastDay, reason)
  const exams = count(records.length, 'exam')
  say(
    lastDay === null
      ? `${exams}: no date of retention any more. Holds and rules keep what they kept.`
      : `${exams}: kept through ${lastDay} (UTC), also when deleted.`,
  )
  return 0
}

async function sayFound({ db }: PatientOperator, mrn: string, found: FoundPatient[]): Promise<number> {
  for (const one of found) {
    say(describe(one))
    for (const record of await listPatientRecords(db, one, new Date())) say(`    ${describeExam(record)}`)
  }
  if (found.length === 0) say(`Nobody has the MRN ${mrn}.`)
  const named = await sayNamed(db, mrn, 'find', {})
  return found.length === 0 && named === 0 ? 1 : 0
}

/**
 * Names exams that have another MRN now, and that only images or an earlier correction connect with this one. Whether they
 * are this patient's is for people to say, so that no act reaches them by this number. @returns how many
 */
async function sayNamed(
  db: PatientOperator['db'],
  mrn: string,
  act: 'find' | 'export' | 'erase',
  { account }: { account?: string | undefined },
): Promise<number> {
  const named = (await listExamsNaming(db, mrn)).filter((one) => account === undefined || one.account === account)
  if (named.length === 0) return 0
  say(`Under another MRN now, and connected with ${mrn} by their images or by an earlier correction alone:`)
  for (const one of named) say(`    ${describeNamed(one)}`)
  say(
    act === 'find'
      ? 'Whether they are this patient’s is for you to say: look at them on the screen, or find them by the MRN that they have.'
      : `They are not among what is ${act === 'export' ? 'exported' : 'erased'} here: run the same command for the MRN that they have, if they are this patient’s.`,
  )
  return named.length
}

function describeNamed(one: NamedExam): string {
  const { account, place, study_uid, study_date, study_description, patientid, patient_name } = one
  const why = [
    ...(one.by_images ? ['its images name the number'] : []),
    ...(one.by_correction ? ['it had the number before a correction'] : []),
  ].join(', and ')
  const now = `MRN ${patientid || '(none)'}${patient_name === '' ? '' : `, ${patient_name}`}`
  return `${study_date || 'no date'} ${study_description || 'exam'} in ${place} of ${account}, ${now}: ${why} (${study_uid})`
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`

function describe({
  account,
  issuer,
  patient_name,
  patient_birth_date,
  orders,
  reports,
  is_held,
}: FoundPatient): string {
  const person = [patient_name, patient_birth_date].filter((one) => one !== '').join(', ')
  return `${person || '(no name)'}, of ${account}, issuer ${issuer || '(none)'}, ${count(orders, 'order')}${reports > 0 ? `, ${count(reports, 'report')} waiting for an exam` : ''}${is_held ? ', HELD' : ''}`
}

function describeExam(record: PatientRecord): string {
  const { study_date, study_description, place, image_count, is_deleted, bar, elsewhere, retain_until: until } = record
  return [
    `${study_date || 'no date'} ${study_description || 'exam'} in ${place}, ${count(image_count, 'image')}`,
    ...(is_deleted ? ['in the bin'] : []),
    ...(until === null ? [] : [`to be kept through ${until}`]),
    ...(elsewhere > 0 ? [`shown by ${count(elsewhere, 'exam')} of other organisations, too`] : []),
    ...(bar === '' ? [] : [`stays because of ${reasons[bar] ?? bar}`]),
  ].join(', ')
}

function chooseOne(
  found: FoundPatient[],
  mrn: string,
  { account, issuer }: { account?: string | undefined; issuer?: string | undefined },
): FoundPatient {
  const fitting = found.filter(
    (one) => (account === undefined || one.account === account) && (issuer === undefined || one.issuer === issuer),
  )
  const [one] = fitting
  if (one === undefined) throw new CommandError(`Nobody has the MRN ${mrn}${found.length > 0 ? ' there' : ''}.`)
  if (fitting.length > 1)
    throw new CommandError(`Say whose by --account "…" and --issuer "…":\n${fitting.map(describe).join('\n')}`)
  return one
}

async function exportTo(operator: PatientOperator, one: FoundPatient, folder: string | undefined): Promise<number> {
  if (folder === undefined || !isAbsolute(folder))
    throw new CommandError(`Name a new folder as an absolute path.\n${usage}`)
  if (existsSync(folder)) throw new CommandError(`${folder} is there already: name a new folder.`)
  const { exams, files, bytes } = await exportPatient(operator, one, folder, new Date())
  say(
    `${count(exams, 'exam')} with ${count(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB, in ${folder}, readable by you alone.`,
  )
  say('Images are as they are stored: exam.json has what people corrected since.')
  return 0
}

/** Says which exams go, which stay and why; erases those that go once their number was typed as a confirmation. */
async function erase(
  operator: PatientOperator,
  one: FoundPatient,
  reason: string,
  confirmed: string | undefined,
): Promise<number> {
  const records = await listPatientRecords(operator.db, one, new Date())
  const going = records.filter(({ bar }) => bar === '').length
  say(describe(one))
  for (const record of records) say(`    ${describeExam(record)}`)
  if (confirmed !== String(going)) {
    say(`${going} of ${count(records.length, 'exam')} would be removed for good, without a way back but a backup.`)
    if (confirmed !== undefined) say(`--confirm says ${confirmed}: nothing was done.`)
    if (going > 0) say(`To do it: the same command with --confirm ${going}`)
    else if (one.is_held) say('A hold keeps everything of this patient: hilum patient release ends it.')
    else if (records.length > 0) say('Each exam says above what keeps it; nothing goes before that has ended.')
    else
      say(
        'There is no exam; --confirm 0 removes the orders, the reports that wait and the expected patient of requests.',
      )
    return confirmed === undefined ? 0 : 1
  }
  const { erased, staying, orders, reports, expected } = await erasePatient(operator, one, records, reason, new Date())
  say(
    `${count(erased.length, 'exam')}, ${count(orders, 'order')} and the expected patient of ${count(expected, 'request')} are gone for good.`,
  )
  if (reports > 0) say(`So is what waited for an exam: ${count(reports, 'report')}.`)
  if (one.is_held) say('Orders and requests stay because of the hold on the patient.')
  say('Bytes that nobody else shows go with the next nightly purge, once they are a day old.')
  for (const { record, bar } of staying) say(`    stays: ${describeExam({ ...record, bar })}`)
  if (staying.length > 0) say('Orders and requests stay as long as an exam does.')
  say('On record stays that something was done, when and by whom, without details, and this erasure with its reason.')
  say(
    'Not reached: exports and backups made before, exams of other organisations, mails that were sent, and what people',
  )
  say('wrote elsewhere (saved searches, tags, messages). Copies without names stay; the key to them is gone.')
  return staying.length === 0 ? 0 : 1
}
