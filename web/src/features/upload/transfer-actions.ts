import { resetUploadProgress, setUploadProgress } from '../../state/upload-progress.ts'
import { readSession, useSession } from '../../session/session-store.ts'
import { t } from '../../labels/label.ts'
import { askAboutPeople } from './confirm-actions.ts'
import { findHindrances } from './confirm-rules.ts'
import { UploadGate } from './gate.ts'
import { areOnePatient, mrnOf } from './mrn-rules.ts'
import { storeTransfer } from './store-transfer.ts'
import { walkHandles } from './file-handles.ts'
import { type Renewal, renewFiles } from './renew-files.ts'
import { watchForServer } from './lost-line.ts'
import { watchForSilence } from './silent-line.ts'
import { findRetracted } from './retracted-rules.ts'
import { otherRemote } from './other-remote.ts'
import { runUpload } from './run-upload.ts'
import type { UploadDestination, UploadJob, UploadOutcome } from './upload-job.ts'
import { ownRemote, type UploadRemote } from './upload-remote.ts'
import { narrowPlan, type UploadPlan } from './upload-plan.ts'
import { UploadRate } from './upload-rate.ts'
import { planOf, uploadWaitOf, type Transfer, type UploadSource, type UploadState, useUpload } from './upload-store.ts'
import type { WalkBatch } from './walk.ts'
import { resetWizard } from './wizard-actions.ts'

const { getState: read, setState: put } = useUpload

const SHOWN_EVERY_MS = 200

/** The upload under way, or the failed one that "Try again" would take up. */
let current:
  | { job: UploadJob; gate: UploadGate; cancel: AbortController; by: Uploader; source: UploadSource }
  | undefined

/** The uploader and the side that takes the upload: the person who is signed in, or somebody who opened a request. */
interface Uploader {
  remote: UploadRemote
  /** Undefined for somebody without a login. */
  userUuid: string | undefined
  /** Forgets the handles by which the upload would be taken up again. */
  forget: () => Promise<void>
}

/**
 * Starts what the confirm step shows, once the destination was asked about the patients. Does nothing but mark the
 * fields while an MRN is missing, or stands for people who are not plainly one.
 */
export async function startUpload(): Promise<void> {
  const isAsked = !makeUploadJob(read()) || (await askAboutPeople(true))
  const job = makeUploadJob(read())
  if (!job || !isAsked) {
    put(({ refusedTries }) => ({ refusedTries: refusedTries + 1 }))
    return
  }
  const session = readSession()
  if (read().transfer || session.status !== 'established') return
  const { search, source } = read()
  const remote = search.kind === 'other' ? otherRemote(search.other) : ownRemote
  const { uuid } = session.session.user
  await transfer(job, { remote, userUuid: uuid, forget: storeTransfer(job, source, uuid) }, source)
}

/**
 * Starts the upload of the chosen studies by a request. Under which numbers patients are known is the receiver's business.
 * @param name where it goes, as the person reads it
 * @param owner by which the upload is known when it is taken up again
 */
export async function startLinkUpload(remote: UploadRemote, name: string, owner: string): Promise<void> {
  const { search, source, selected, leftOut, transfer: running } = read()
  const whole = planOf(search)
  if (running || !whole) return
  const plan = narrowPlan(whole, selected, leftOut)
  if (plan.studyCount === 0) return
  const studies = plan.patients.flatMap((patient) =>
    patient.studies.map((study) => ({ study, patient, newMrn: undefined, mrnReason: undefined })),
  )
  const job = newJob({ groupId: '', namespaceId: '', name }, plan, studies, { search, leftOut })
  await transfer(job, { remote, userUuid: undefined, forget: storeTransfer(job, source, owner) }, source)
}

/** "Try again": sends what the server has not acknowledged; files that moved within a folder are found there again. */
export async function tryUploadAgain(): Promise<void> {
  if (!current || read().transfer) return
  const { job, by, source } = current
  if (isLackingFiles() && source.handles.length > 0) {
    await lookForFiles(job, (signal) => walkHandles(source.handles, signal)).catch(() => undefined) // sending tells
  }
  if (current?.job === job && !read().transfer) await transfer(job, by, source)
}

/** Takes files that were moved or changed from another choice, and goes on where any of them is there. */
export async function chooseFilesAgain(walk: (signal: AbortSignal) => AsyncIterable<WalkBatch>): Promise<void> {
  if (!current || read().transfer || read().renewal === 'reading') return
  const { job, by } = current
  const { found } = await lookForFiles(job, walk)
  if (found > 0 && current?.job === job && !read().transfer) await transfer(job, by, { handles: [] })
}

const isLackingFiles = () => {
  const { outcome } = read()
  return outcome?.kind === 'failed' && outcome.failures.some(({ kind }) => kind === 'unreadable')
}

async function lookForFiles(job: UploadJob, walk: (signal: AbortSignal) => AsyncIterable<WalkBatch>): Promise<Renewal> {
  const { signal } = new AbortController()
  put({ renewal: 'reading' })
  try {
    const renewal = await renewFiles(job, walk(signal), signal)
    put({ renewal })
    return renewal
  } catch (error) {
    put({ renewal: { found: 0, lacking: job.fileCount } })
    throw error
  }
}

export function pauseUpload(): void {
  current?.gate.hold('paused')
}

export function resumeUpload(): void {
  current?.gate.release('paused')
}

/** Stops for good. Acknowledged images stay; choosing the folder again sends the rest. */
export function cancelUpload(): void {
  current?.cancel.abort(new DOMException('The upload was cancelled', 'AbortError'))
}

/** Closes the banner of the last upload; "Try again" goes with it. */
export function dismissOutcome(): void {
  void current?.by.forget()
  current = undefined
  put({ outcome: undefined, renewal: undefined })
}

/** The job of the chosen studies, or undefined while the confirm step is incomplete (UPLOAD-08). */
export function makeUploadJob(state: UploadState): UploadJob | undefined {
  const { destination, search, selected, leftOut } = state
  const whole = planOf(search)
  if (!destination || !whole) return undefined
  const plan = narrowPlan(whole, selected, leftOut)
  const { patients } = plan
  const { blocked, rowClashes, heldClashes } = findHindrances(patients, {
    ...state,
    namespaceId: destination.namespaceId,
  })
  const retracted = findRetracted(patients, state).filter(({ key }) => !state.answers.has(key))
  if (plan.studyCount === 0 || blocked.size > 0 || retracted.length > 0) return undefined
  const answered = new Set(
    [...rowClashes.flatMap((clash) => clash.rows), ...heldClashes.map((clash) => clash.row)].map((row) => row.key),
  )
  const isOne = areOnePatient(patients, state.onePatient)
  const studies = patients.flatMap((patient) => {
    const mrn = mrnOf(patient, patients, state)
    const newMrn = mrn === patient.mrn.trim() ? undefined : mrn
    const mrnReason = isOne || answered.has(patient.key) ? t('upload.clash.reason') : undefined
    return patient.studies.map((study) => ({ study, patient, newMrn, mrnReason }))
  })
  return newJob(destination, plan, studies, { search, leftOut })
}

function newJob(
  destination: UploadDestination,
  plan: UploadPlan,
  studies: UploadJob['studies'],
  { search, leftOut }: Pick<UploadState, 'search' | 'leftOut'>,
): UploadJob {
  return {
    kind: search.kind === 'other' ? 'other' : 'dicom',
    destination,
    studies,
    leftOut,
    fileCount: plan.fileCount,
    sizeBytes: plan.sizeBytes,
    begun: new Set(),
    brought: new Set(),
    acknowledged: new Set(),
    outcomes: new Map(),
    hashes: new Map(),
    elsewhere: new Map(),
    uuids: new Map(),
    numbered: new Set(),
    finished: new Set(),
  }
}

async function transfer(job: UploadJob, by: Uploader, source: UploadSource): Promise<void> {
  const shown = new Shown(job)
  const gate = new UploadGate((hold) => shown.show({ hold }))
  const cancel = new AbortController()
  forgetReplaced(job, source)
  current = { job, gate, cancel, by, source }
  put({ outcome: undefined, renewal: undefined })
  const over = new AbortController()
  const letGo = watchTransfer(gate, cancel, by.userUuid)
  const noteMoved = watchForSilence({ gate, signal: over.signal, onSilent: (isSilent) => shown.show({ isSilent }) })
  let seenBytes = 0
  shown.show({})
  try {
    const outcome = await runUpload(job, {
      remote: by.remote,
      gate,
      signal: cancel.signal,
      isReachable: watchForServer(gate, over.signal),
      onBytes: (uploadedBytes) => {
        // fewer bytes are those of a try that failed
        if (uploadedBytes >= seenBytes) noteMoved()
        seenBytes = uploadedBytes
        shown.count(uploadedBytes)
      },
      onStage: (stage) => shown.show({ stage }),
    })
    if (outcome.kind === 'done') void by.forget()
    end(outcome)
  } catch (error) {
    if (!cancel.signal.aborted) throw error
    void by.forget()
    end(undefined)
  } finally {
    over.abort()
    letGo()
  }
}

/** Forgets a failed upload that another begins over, unless its files could be read again by their handles. */
function forgetReplaced(job: UploadJob, { key }: UploadSource): void {
  if (current && current.job !== job && current.source.handles.length === 0 && !key) void current.by.forget()
}

/** UPLOAD-16: at success as at failure the state resets to its initial values, and a banner stays. */
function end(outcome: UploadOutcome | undefined) {
  if (outcome?.kind !== 'failed') current = undefined
  resetUploadProgress()
  resetWizard({ outcome })
}

/**
 * Guards a running upload: the browser's question before the page is left, the line that comes and goes, and
 * the session. The same person signing in again goes on; another one ends the upload.
 */
function watchTransfer(gate: UploadGate, cancel: AbortController, userUuid: string | undefined): () => void {
  const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  const goOffline = () => gate.hold('offline')
  const goOnline = () => gate.release('offline')
  window.addEventListener('beforeunload', askBeforeUnload)
  window.addEventListener('offline', goOffline)
  window.addEventListener('online', goOnline)
  const stopListening = useSession.subscribe(({ state }) => {
    if (userUuid === undefined) return
    if (state.status === 'signedOut') gate.hold('signed-out')
    if (state.status !== 'established') return
    if (state.session.user.uuid === userUuid) gate.release('signed-out')
    else cancel.abort(new DOMException('Another person signed in', 'AbortError'))
  })
  return () => {
    window.removeEventListener('beforeunload', askBeforeUnload)
    window.removeEventListener('offline', goOffline)
    window.removeEventListener('online', goOnline)
    stopListening()
  }
}

/** Brings a running upload to the page and to the navigation, a few times a second. */
class Shown {
  private transfer: Transfer
  private readonly rate = new UploadRate()
  private shownAtMs = 0

  constructor({ destination, sizeBytes, fileCount }: UploadJob) {
    this.transfer = {
      destinationName: destination.name,
      uploadedBytes: 0,
      totalBytes: sizeBytes,
      fileCount,
      bytesPerSecond: undefined,
      hold: undefined,
      isSilent: false,
      stage: 'preparing',
    }
  }

  count(uploadedBytes: number) {
    const nowMs = performance.now()
    this.transfer = { ...this.transfer, uploadedBytes }
    if (nowMs - this.shownAtMs < SHOWN_EVERY_MS) return
    this.rate.mark(nowMs, uploadedBytes)
    this.show({ bytesPerSecond: this.rate.bytesPerSecond() })
  }

  show(changed: Partial<Transfer>) {
    if ('hold' in changed) this.rate.restart()
    this.transfer = { ...this.transfer, ...changed }
    this.shownAtMs = performance.now()
    put({ transfer: this.transfer })
    const { stage, uploadedBytes, totalBytes } = this.transfer
    const status = stage === 'preparing' ? 'preparing' : 'uploading'
    setUploadProgress(status, uploadedBytes, totalBytes, uploadWaitOf(this.transfer))
  }
}

const atStart = readSession()
let last = atStart.status === 'established' ? atStart.session : undefined

/**
 * Nothing of one person's folders may be seen by the next who signs in on this page; nor does a person in another
 * organisation find a destination and exams of the one before. An upload that runs goes on to where it was meant.
 */
useSession.subscribe(({ state }) => {
  if (state.status !== 'established') return
  const { user, account } = state.session
  const isOther = last !== undefined && last.user.uuid !== user.uuid
  const isElsewhere = last !== undefined && last.account.uuid !== account.uuid && !useUpload.getState().transfer
  if (isOther) cancelUpload()
  if (isOther || isElsewhere) {
    current = undefined
    resetWizard()
  }
  last = state.session
})
