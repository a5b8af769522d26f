import { studyUploadCheck } from '@hilum/contract/calls/study'
import { callApi } from '../../api/call-api.ts'
import { freshSid } from '../../api/credentials.ts'
import { type ExamForm, patientOf, studyMomentOf } from './exam-form.ts'
import { findHashes } from './hash-file.ts'
import type { OtherFiles } from './other-files.ts'
import { SendFault } from './send-fault.ts'
import { sendToWrap, type WrappedFile } from './send-wrapped.ts'
import { announceStudies, type Ask, finishStudy, type UploadVerdict } from './study-calls.ts'
import type { PlannedFile } from './upload-plan.ts'
import { ownRemote, type UploadRemote } from './upload-remote.ts'

/** Images asked about in one call. */
const CHECKED_AT_ONCE = 2000

/**
 * Uploads of files that the server makes into images and attachments of one study. The images get their names there, so
 * that the two lists are compared by the names that the server told, those of attachments by their hashes, too.
 */
export function otherRemote({ studyUid, exam, dateFormat, files }: OtherFiles): UploadRemote {
  const tags = tagsOf(studyUid, exam, dateFormat)
  const made = new Map<PlannedFile, WrappedFile>()
  const images = () => [...made.values()].flatMap(({ imageUids }) => imageUids)
  return {
    ...ownRemote,
    announce: (namespaceId, studies, signal) => {
      const imageCount = files.filter((one) => one.isSelected && one.kind !== 'attachment').length
      const announced = studies.map(({ study, patient }) => ({ patient, study: { ...study, fileCount: imageCount } }))
      return announceStudies(namespaceId, announced, signal)
    },
    compare: async (namespaceId, asked, _hashes, { ask, signal }) => {
      const lacking = await findLacking(namespaceId, studyUid, images(), ask)
      const verdicts = new Map<PlannedFile, UploadVerdict>()
      const attached = new Map<PlannedFile, string>()
      for (const one of asked) {
        const { imageUids = [], filename } = made.get(one) ?? {}
        if (filename !== undefined) attached.set(one, filename)
        else verdicts.set(one, imageUids.length > 0 && !imageUids.some((uid) => lacking.has(uid)) ? 'have' : 'missing')
      }
      for (const [one, verdict] of await compareAttached(namespaceId, studyUid, attached, { ask, signal }))
        verdicts.set(one, verdict)
      return { verdicts, elsewhere: new Map() }
    },
    send: async (namespaceId, one, terms) => {
      const sid = await freshSid()
      if (!sid) throw new SendFault('signed-out')
      const wrapped = await sendToWrap({ file: one.file, tags, namespace: namespaceId }, { sid, ...terms })
      made.set(one, wrapped)
      return wrapped
    },
    finish: (uuid, _fileCount, signal) => finishStudy(uuid, new Set(images()).size, signal),
  }
}

/** Values of the form by field, as the storage takes them. */
export function tagsOf(studyUid: string, exam: ExamForm, dateFormat: OtherFiles['dateFormat']): string {
  const { name, mrn, birthDate, sex } = patientOf(exam, dateFormat)
  const { date, time } = studyMomentOf(exam, dateFormat)
  return JSON.stringify({
    StudyInstanceUID: studyUid,
    patient_name: name,
    patientid: mrn.trim(),
    patient_birth_date: birthDate,
    patient_sex: sex,
    study_date: date,
    ...(time ? { study_time: time } : {}),
    ...(exam.studyDescription.trim() ? { study_description: exam.studyDescription.trim() } : {}),
  })
}

/**
 * Compares attached files with those that the server lists, by name and hash. A file that cannot be read again stays
 * without a verdict.
 * @param attached names under which the files were attached
 */
async function compareAttached(
  namespaceId: string,
  studyUid: string,
  attached: ReadonlyMap<PlannedFile, string>,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<ReadonlyMap<PlannedFile, UploadVerdict>> {
  const hashes = await findHashes([...attached.keys()], signal)
  const compared = [...attached].filter(([one]) => hashes.has(one))
  const verdicts = new Map<PlannedFile, UploadVerdict>()
  for (let at = 0; at < compared.length; at += CHECKED_AT_ONCE) {
    const part = compared.slice(at, at + CHECKED_AT_ONCE)
    const attachments = part.map(([one, filename]) => ({ study_uid: studyUid, filename, sha256: hashes.get(one) }))
    const { attachment_verdicts: answers } = await ask((given) =>
      callApi(studyUploadCheck, { namespace_id: namespaceId, instances: [], attachments }, { signal: given }),
    )
    for (const [k, [one]] of part.entries()) verdicts.set(one, answers[k] ?? 'missing')
  }
  return verdicts
}

/** Images that the server's list lacks. */
async function findLacking(namespaceId: string, studyUid: string, sopUids: readonly string[], ask: Ask) {
  const lacking = new Set<string>()
  for (let at = 0; at < sopUids.length; at += CHECKED_AT_ONCE) {
    const part = sopUids.slice(at, at + CHECKED_AT_ONCE)
    const instances = part.map((uid) => ({ study_uid: studyUid, sop_uid: uid }))
    const { verdicts } = await ask((signal) =>
      callApi(studyUploadCheck, { namespace_id: namespaceId, instances }, { signal }),
    )
    for (const [k, uid] of part.entries()) if ((verdicts[k] ?? 'missing') === 'missing') lacking.add(uid)
  }
  return lacking
}
