import { runLanes } from './lanes.ts'
import { type SendFault, toFault } from './send-fault.ts'
import type { UploadComparison } from './study-calls.ts'
import type { UploadRemote } from './upload-remote.ts'
import { type RetryTerms, tryAgain } from './try-again.ts'
import {
  type FileNote,
  type JobStudy,
  toUploadFailure,
  type UploadFailure,
  type UploadedStudy,
  type UploadJob,
  type UploadNotes,
  type UploadOutcome,
} from './upload-job.ts'
import { countImages, countParts, listFiles, type PlannedFile } from './upload-plan.ts'
import type { TransferStage } from './upload-store.ts'

interface RunTerms extends RetryTerms {
  remote: UploadRemote
  /** Bytes that the server has or that are on their way, of all selected (UPLOAD-15). */
  onBytes: (uploadedBytes: number) => void
  onStage: (stage: TransferStage) => void
}

/** Times that files missing on the server's list are sent again before they count as failed. */
const COMPARISONS = 2

/**
 * Uploads what the person confirmed: announce all studies, then for each set its MRN, send its files, compare the lists,
 * finish it. Images that the server acknowledged stay there whatever happens to the rest.
 * @throws the signal's reason when the person cancels
 */
export async function runUpload(job: UploadJob, terms: RunTerms): Promise<UploadOutcome> {
  const run = new Run(job, terms)
  try {
    await run.announce()
    for (const one of run.listOpen()) await run.upload(one)
    await run.sayEnded()
  } catch (error) {
    terms.signal.throwIfAborted()
    run.stoppedBy = toFault(error)
  }
  return run.outcome()
}

class Run {
  stoppedBy: SendFault | undefined
  private readonly job: UploadJob
  private readonly terms: RunTerms
  private readonly failures: UploadFailure[] = []
  private readonly again = new Set<PlannedFile>()
  private readonly underWay = new Map<PlannedFile, number>()
  private acknowledgedBytes = 0

  constructor(job: UploadJob, terms: RunTerms) {
    this.job = job
    this.terms = terms
    for (const one of job.acknowledged) this.acknowledgedBytes += one.file.size
    this.report()
  }

  async announce() {
    const { studies, uuids } = this.job
    const { namespaceId } = this.job.destination
    const unknown = studies.filter(({ study }) => !uuids.has(study.studyUid))
    if (unknown.length === 0) return
    const { remote } = this.terms
    await this.call((signal) => remote.sayBegun(namespaceId, studies.length, signal))
    const found = await this.call((signal) => remote.announce(namespaceId, unknown, signal))
    for (const [studyUid, uuid] of found.uuids) uuids.set(studyUid, uuid)
    for (const [studyUid, fault] of found.refused) this.failures.push(toUploadFailure(studyUid, undefined, fault))
  }

  /** Announced studies that are not finished yet. */
  listOpen(): JobStudy[] {
    const { studies, uuids, finished } = this.job
    return studies.filter(({ study: { studyUid } }) => uuids.has(studyUid) && !finished.has(studyUid))
  }

  async upload(one: JobStudy) {
    const { study } = one
    const files = listFiles(study)
    const failed = this.failures.length
    await this.ofStudy(study, () => this.setNumber(one), isOfStudyAlone)
    // under another number than the person typed nothing is sent
    if (this.failures.length > failed) return
    let missing = await this.findMissing(files.filter((file) => !this.job.acknowledged.has(file)))
    for (let turn = 0; missing.length > 0 && turn < COMPARISONS && this.failures.length === failed; turn++) {
      await this.send(missing)
      if (one === this.job.studies.at(-1)) this.terms.onStage('comparing')
      missing = await this.compare(files)
    }
    if (this.failures.length > failed) return
    if (missing.length > 0) {
      this.failures.push(...missing.map((file) => failureOf(file, 'not-listed')))
      return
    }
    await this.ofStudy(study, () => this.finish(one))
  }

  /** Tells the destination's webhooks. A failure to notify them takes nothing from an upload that is complete. */
  async sayEnded() {
    const { studies } = this.job
    const { namespaceId } = this.job.destination
    const { remote, signal } = this.terms
    await Promise.allSettled([remote.sayEnded(namespaceId, studies.length, signal)])
  }

  outcome(): UploadOutcome {
    const { job, failures, stoppedBy } = this
    const { fileCount, studies } = job
    const notes = listNotes(job)
    if (failures.length === 0 && !stoppedBy) {
      const uploaded = studies.flatMap(({ study, patient }): UploadedStudy[] => {
        const { studyUid, description, date, leftOut = [] } = study
        const uuid = job.uuids.get(studyUid)
        return uuid ? [{ uuid, patientName: patient.name, description, date, leftOut }] : []
      })
      return {
        kind: 'done',
        destination: job.destination,
        studyCount: studies.length,
        partCount: countParts(studies.map(({ study }) => study)),
        fileCount,
        thereFiles: fileCount - job.brought.size,
        studies: uploaded,
        notes,
      }
    }
    return {
      kind: 'failed',
      code: codeOf(job.kind, stoppedBy),
      stoppedBy: stoppedBy && { kind: stoppedBy.kind, status: stoppedBy.status, detail: stoppedBy.detail },
      failures,
      acknowledgedFiles: job.acknowledged.size,
      fileCount,
      notes,
    }
  }

  /** Files that the destination lacks, by their hash. */
  private async findMissing(files: PlannedFile[]): Promise<PlannedFile[]> {
    const { verdicts } = await this.ask(files)
    for (const one of files.filter((file) => verdicts.get(file) === 'have')) {
      if (this.job.begun.has(one)) this.job.brought.add(one)
      this.acknowledge(one)
    }
    return files.filter((one) => !this.job.acknowledged.has(one))
  }

  private async ask(files: readonly PlannedFile[]): Promise<UploadComparison> {
    const { destination, hashes, elsewhere } = this.job
    const { signal, remote } = this.terms
    const ask = <Reply>(act: (given: AbortSignal) => Promise<Reply>) => this.call(act)
    const found = await remote.compare(destination.namespaceId, files, hashes, { ask, signal })
    for (const [one, studyUid] of found.elsewhere) elsewhere.set(one, studyUid)
    return found
  }

  private async send(files: PlannedFile[]) {
    const { namespaceId } = this.job.destination
    const { sendTogether } = this.terms.remote
    this.terms.onStage('sending')
    const result = await runLanes(files, {
      ...this.terms,
      send: (one, terms) => this.begin([one], () => this.terms.remote.send(namespaceId, one, terms)),
      together: sendTogether && {
        sizeOf: ({ file }) => file.size,
        send: (some, terms) => this.begin(some, () => sendTogether(namespaceId, some, terms)),
      },
      onBytes: (one, sentBytes) => {
        this.underWay.set(one, sentBytes)
        this.report()
      },
      onSent: (one, { outcome }) => {
        this.job.outcomes.set(one, outcome)
        if (outcome !== 'duplicate' || this.again.has(one)) this.job.brought.add(one)
        this.acknowledge(one)
      },
    })
    for (const { item, fault } of result.failed) this.failures.push(toUploadFailure(item.studyUid, item.path, fault))
    if (result.stoppedBy) throw result.stoppedBy
  }

  /** Sends files, and notes which of them a try before may have brought, though its answer was lost. */
  private begin<Result>(files: readonly PlannedFile[], send: () => Promise<Result>): Promise<Result> {
    for (const one of files) {
      if (this.job.begun.has(one)) this.again.add(one)
      this.job.begun.add(one)
    }
    return send()
  }

  /**
   * Finds acknowledged files that the server lacks after all, and forgets them. Other bytes under the name are
   * as good as missing, but where the server itself said what it made of the file: the same content written in another
   * way, or kept beside the first. A file that cannot be read again to be compared is not agreed upon: it fails, with words.
   */
  private async compare(files: PlannedFile[]): Promise<PlannedFile[]> {
    const { acknowledged, outcomes } = this.job
    const sent = files.filter((one) => acknowledged.has(one))
    const { verdicts } = await this.ask(sent)
    const lost = sent.filter((one) => {
      const verdict = verdicts.get(one)
      return verdict === 'missing' || (verdict === 'conflict' && outcomes.get(one) === 'stored')
    })
    // the next try compares these again, and sends what differs
    const unread = sent.filter((one) => !verdicts.has(one))
    this.failures.push(...unread.map((one) => failureOf(one, 'not-compared')))
    for (const one of [...lost, ...unread]) this.forget(one)
    return lost
  }

  private async setNumber({ study, newMrn, mrnReason }: JobStudy) {
    const { numbered, uuids } = this.job
    if (newMrn === undefined || numbered.has(study.studyUid)) return
    const carried = [...new Set(study.people.map(({ mrn }) => mrn).filter((mrn) => mrn !== ''))]
    const typed = { mrn: newMrn, reason: mrnReason, carried }
    await this.call((signal) => this.terms.remote.setMrn(uuids.get(study.studyUid), typed, signal))
    numbered.add(study.studyUid)
  }

  private async finish({ study }: JobStudy) {
    const { finished, uuids } = this.job
    const uuid = uuids.get(study.studyUid)
    if (uuid) await this.call((signal) => this.terms.remote.finish(uuid, countImages(study), signal))
    finished.add(study.studyUid)
  }

  /**
   * Does something to a study; where that fails, the study does, unless the fault stops the whole upload.
   * @param isOfStudy of faults that would stop the upload, those that tell of this study alone
   */
  private async ofStudy(study: JobStudy['study'], act: () => Promise<void>, isOfStudy?: (fault: SendFault) => boolean) {
    try {
      await act()
    } catch (error) {
      this.terms.signal.throwIfAborted()
      const fault = toFault(error)
      if (fault.stopsAll && !isOfStudy?.(fault)) throw fault
      this.failures.push(toUploadFailure(study.studyUid, undefined, fault))
    }
  }

  private async call<Result>(act: (signal: AbortSignal) => Promise<Result>) {
    const result = await tryAgain(act, this.terms)
    this.report() // an answer is a sign of life
    return result
  }

  private acknowledge(one: PlannedFile) {
    this.underWay.delete(one)
    this.job.acknowledged.add(one)
    this.acknowledgedBytes += one.file.size
    this.report()
  }

  private forget(one: PlannedFile) {
    this.job.acknowledged.delete(one)
    this.acknowledgedBytes -= one.file.size
    this.report()
  }

  private report() {
    let uploadedBytes = this.acknowledgedBytes
    for (const bytes of this.underWay.values()) uploadedBytes += bytes
    this.terms.onBytes(uploadedBytes)
  }
}

/** A file on which the two lists do not agree. */
function failureOf({ path, studyUid }: PlannedFile, kind: 'not-listed' | 'not-compared'): UploadFailure {
  return { path, studyUid, kind, status: 0, detail: '' }
}

/** ERROR-17 */
function codeOf(kind: UploadJob['kind'], stoppedBy: SendFault | undefined) {
  if (stoppedBy?.kind === 'no-destination') return 'NAMESPACE_NOT_FOUND'
  return kind === 'dicom' ? 'DICOM_UPLOAD_FAILD' : 'NON_DICOM_UPLOAD_FAILED'
}

/** As people list files, whichever lane was the first: IM2 before IM10. */
const byPath = (a: FileNote, b: FileNote) => a.path.localeCompare(b.path, undefined, { numeric: true })

/** Files of the job that need to be known of: kept beside others of their name, and those in another study too. */
function listNotes({ studies, outcomes, elsewhere }: UploadJob): UploadNotes {
  const studyOf = new Map(studies.map(({ study }) => [study.studyUid, study]))
  const noteOf = ({ path, studyUid }: PlannedFile): FileNote => {
    const { description = '', date = '' } = studyOf.get(studyUid) ?? {}
    return { path, studyUid, description, date }
  }
  return {
    conflicts: [...outcomes]
      .filter(([, outcome]) => outcome === 'conflict')
      .map(([one]) => noteOf(one))
      .toSorted(byPath),
    elsewhere: [...elsewhere].map(([one, otherUid]) => ({ ...noteOf(one), otherUid })).toSorted(byPath),
  }
}

/** A study that the person may not edit, or that is gone, says nothing of the place and of the studies after it. */
const isOfStudyAlone = ({ kind }: SendFault) => kind === 'not-permitted' || kind === 'no-destination'
