import { clientHeaders } from '@hilum/contract/client-headers'
import { addressOf } from '@hilum/contract/route'
import { bundle } from '@hilum/contract/routes/others'
import { studyAdd, studySet, studySync, studyUploadCheck } from '@hilum/contract/calls/study'
import { webhookEvent } from '@hilum/contract/calls/webhook'
import { ApiFailure } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { whileLocked } from '../../queries/study-lock.ts'
import { freshSid, reportRefused } from '../../api/credentials.ts'
import { isLoginPage } from '../../api/is-login-page.ts'
import { withinWait } from '../../api/within-wait.ts'
import { findHashes } from './hash-file.ts'
import { sendFaultOf, SendFault } from './send-fault.ts'
import { countImages, type PatientIdentity, type PlannedFile, type PlannedStudy } from './upload-plan.ts'

/** The destination's image for a file: the same, none, or another one under its SOP UID. */
export type UploadVerdict = 'have' | 'missing' | 'conflict'

/** Instances asked about in one call; the server takes 10,000. */
const CHECKED_AT_ONCE = 2000
/** Studies announced in one bundle. */
const ANNOUNCED_AT_ONCE = 100

/** Files compared with the destination. */
export interface UploadComparison {
  /** None for a file that cannot be read. */
  verdicts: ReadonlyMap<PlannedFile, UploadVerdict>
  /** Files whose SOP UID stands in another study there, with that study. */
  elsewhere: ReadonlyMap<PlannedFile, string>
}

/** Does one request of a comparison; the upload tries again where that may help. */
export type Ask = <Reply>(act: (signal: AbortSignal) => Promise<Reply>) => Promise<Reply>

/**
 * Compares files with what the destination has, by SHA-256: two images of one size may differ. Only files whose name
 * is there are read for it, and each once.
 * @param hashes those known so far; new ones are added
 * @param onNamed is told of the files that are about to be read
 */
export async function compareFiles(
  namespaceId: string,
  files: readonly PlannedFile[],
  hashes: Map<PlannedFile, string>,
  { ask, signal, onNamed }: { ask: Ask; signal: AbortSignal; onNamed?: (files: readonly PlannedFile[]) => void },
): Promise<UploadComparison> {
  const verdicts = new Map<PlannedFile, UploadVerdict>()
  const elsewhere = new Map<PlannedFile, string>()
  async function askAbout(asked: readonly PlannedFile[]): Promise<PlannedFile[]> {
    const named: PlannedFile[] = []
    for (let at = 0; at < asked.length; at += CHECKED_AT_ONCE) {
      const part = asked.slice(at, at + CHECKED_AT_ONCE)
      const instances = part.map((one) => ({ study_uid: one.studyUid, sop_uid: one.sopUid, sha256: hashes.get(one) }))
      const reply = await ask((given) =>
        callApi(studyUploadCheck, { namespace_id: namespaceId, instances }, { signal: given }),
      )
      for (const [k, one] of part.entries()) {
        const verdict = reply.verdicts[k]
        if (verdict === 'named') named.push(one)
        else if (verdict) verdicts.set(one, verdict)
      }
      for (const { at: k, study_uid: uid } of reply.elsewhere) {
        const one = part[k]
        if (one) elsewhere.set(one, uid)
      }
    }
    return named
  }
  const named = await askAbout(files)
  if (named.length > 0) onNamed?.(named)
  // a file that cannot be read stays without a verdict: sending it tells why
  for (const [one, hash] of await findHashes(named, signal)) hashes.set(one, hash)
  await askAbout(named.filter((one) => hashes.has(one)))
  return { verdicts, elsewhere }
}

/** A study about to be sent, with the patient it will be listed under until its images arrive. */
export interface AnnouncedStudy {
  study: PlannedStudy
  patient: PatientIdentity
}

export interface Announced {
  /** The record's uuid by study UID. */
  uuids: Map<string, string>
  /** Studies that the server would not take a record for. */
  refused: Map<string, SendFault>
}

/**
 * Announces studies before their images (API-39). A study that the destination has already is no failure, and one
 * whose description is refused (hostile lengths, impossible dates) is announced by its UID alone: the images are what
 * counts, and the server reads them itself.
 */
export async function announceStudies(
  namespaceId: string,
  studies: readonly AnnouncedStudy[],
  signal: AbortSignal,
): Promise<Announced> {
  const first = await announce(studies, (one) => describeStudy(namespaceId, one), signal)
  const again = studies.filter(({ study }) => first.refused.has(study.studyUid))
  const second = await announce(again, (one) => nameStudy(namespaceId, one), signal)
  return { uuids: new Map([...first.uuids, ...second.uuids]), refused: second.refused }
}

async function announce(
  studies: readonly AnnouncedStudy[],
  describe: (one: AnnouncedStudy) => object,
  signal: AbortSignal,
): Promise<Announced> {
  const announced: Announced = { uuids: new Map(), refused: new Map() }
  for (let at = 0; at < studies.length; at += ANNOUNCED_AT_ONCE) {
    const part = studies.slice(at, at + ANNOUNCED_AT_ONCE)
    const replies = await postBundle(
      part.map((one) => ({ URL: `/${studyAdd.path}`, ...describe(one) })),
      signal,
    )
    for (const [k, { study }] of part.entries()) {
      const found = readUuid(replies[k])
      if (typeof found === 'string') announced.uuids.set(study.studyUid, found)
      else if (found.kind === 'refused') announced.refused.set(study.studyUid, found)
      else throw found
    }
  }
  return announced
}

function nameStudy(namespaceId: string, { study }: AnnouncedStudy) {
  return {
    storage_namespace: namespaceId,
    phi_namespace: namespaceId,
    study_uid: study.studyUid,
    image_count: countImages(study),
  }
}

function describeStudy(namespaceId: string, one: AnnouncedStudy) {
  const { study, patient } = one
  return {
    ...nameStudy(namespaceId, one),
    patient_name: patient.name,
    patientid: patient.mrn,
    patient_birth_date: patient.birthDate,
    patient_sex: patient.sex,
    study_date: study.date,
    study_time: study.time,
    study_description: study.description,
    accession_number: study.accessionNumber,
    modality: study.modalities[0] ?? '',
    referring_physician: study.referringPhysician,
  }
}

/** The uuid of the new record, or of the one that exists (`error_subtype`, in some servers `error_data.uuid`). */
function readUuid(reply: Record<string, unknown> | undefined): string | SendFault {
  const { uuid, error_type: type, error_subtype: subtype, error_data: data } = reply ?? {}
  if (typeof uuid === 'string') return uuid
  if (type === 'ALREADY_EXISTS') {
    if (typeof subtype === 'string') return subtype
    const existing = (data as { uuid?: unknown } | undefined)?.uuid // checked on the next line
    if (typeof existing === 'string') return existing
  }
  return sendFaultOf(Number(reply?.['HTTP_STATUS_CODE'] ?? 500), JSON.stringify(reply ?? {}))
}

async function postBundle(items: object[], signal: AbortSignal): Promise<Record<string, unknown>[]> {
  const sid = await freshSid()
  if (!sid) throw new SendFault('signed-out')
  let reply: Response
  try {
    reply = await fetch(addressOf(bundle, {}), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...clientHeaders(sid) },
      body: JSON.stringify(items.map((item) => ({ ...item, sid }))),
      signal: withinWait(signal),
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw new SendFault('unreachable', 0, '', { cause })
  }
  const body = await reply.text()
  if (isLoginPage(reply.status, body)) throw sendFaultOf(reply.status, body)
  if (reply.status === 401) reportRefused(sid)
  if (!reply.ok) throw sendFaultOf(reply.status, body)
  return JSON.parse(body) as Record<string, unknown>[] // the bundle's one shape; each item is read with care above
}

/** Says that all images of a study were sent (API-40). BLOCKED means that nothing changed since it was said before. */
export async function finishStudy(uuid: string, imageCount: number, signal: AbortSignal): Promise<void> {
  try {
    await callApi(studySync, { uuid, image_count: String(imageCount) }, { signal })
  } catch (error) {
    if (!(error instanceof ApiFailure && error.code === 'BLOCKED')) throw error
  }
}

/** An MRN that the person typed for a study. */
export interface TypedMrn {
  mrn: string
  /** Why somebody else holds it too, where that was answered. */
  reason: string | undefined
  /** The numbers that the files carry. */
  carried: readonly string[]
}

/**
 * Sets the MRN that the person typed, as an edit that keeps what the images say, while the study is locked. It is set
 * before the images are sent, so that nothing that follows from them happens under another one.
 */
export async function setMrn(
  uuid: string | undefined,
  { mrn, reason, carried }: TypedMrn,
  signal: AbortSignal,
): Promise<void> {
  if (!uuid) throw new SendFault('refused', 0, 'STUDY_SET_PARAMS_UUID_NOT_FOUND')
  const change = {
    uuid,
    patientid: mrn,
    use_upload_permission: 1 as const,
    seen_mrns: [...carried],
    ...(reason ? { mrn_reason: reason } : {}),
  }
  await whileLocked(uuid, () => callApi(studySet, change, { signal }), signal)
}

/** Tells the destination's webhooks that uploads begin or end. */
export async function announceSession(
  namespaceId: string,
  type: 'STUDY_UPLOAD_START' | 'STUDY_UPLOAD_END',
  studyCount: number,
  signal: AbortSignal,
): Promise<void> {
  await callApi(webhookEvent, { namespace_id: namespaceId, type, study_count: studyCount }, { signal })
}
