import { askAboutFound } from './confirm-actions.ts'
import { resetUploadProgress, setUploadProgress } from '../../state/upload-progress.ts'
import { type FindProgress, findExams } from './find-exams.ts'
import { giveTurn } from './give-turn.ts'
import { compareFiles, type UploadVerdict } from './study-calls.ts'
import {
  listFiles,
  listStudies,
  type PlannedFile,
  type PlannedStudy,
  seriesKey,
  type UploadPlan,
} from './upload-plan.ts'
import { listTypedBefore } from './typed-before.ts'
import type { UploadDestination } from './upload-job.ts'
import { hasImages } from './other-files.ts'
import { isFormValid, leftOutOf, refuseNext, takeOtherFiles, type WrapTerms } from './other-files-actions.ts'
import {
  countAlreadyHere,
  initialUpload,
  planOf,
  type UploadSource,
  type UploadState,
  useUpload,
} from './upload-store.ts'
import { mayJumpTo, nextStep, previousStep, type WizardFacts } from './wizard-rules.ts'
import type { WalkBatch } from './walk.ts'

const { getState: read, setState: put } = useUpload

/** The search under way, for stopping it. */
let searching: AbortController | undefined
/** Progress is shown at most this often: thousands of files must not mean thousands of renders. */
const SHOWN_EVERY_MS = 100

export function chooseDestination(destination: UploadDestination | undefined): void {
  put({ destination, alreadyHere: new Map() })
  const { search } = read()
  if (search.kind === 'found') void askDestination(search.exams.plan)
}

/** Begins at the exams where there is but one destination to choose. */
export function beginWithOnly(destination: UploadDestination): void {
  chooseDestination(destination)
  put({ step: 1 })
}

export function goOn(): void {
  const { step, ...state } = read()
  const facts = factsOfUpload({ step, ...state })
  if (step === 2 && !facts.isFormValid) refuseNext()
  put({ step: nextStep(step, facts) })
}

export function goBack(): void {
  put((state) => ({ step: previousStep(state.step) }))
}

export function jumpTo(step: number): void {
  put((state) => (mayJumpTo(step, state.step) ? { step } : {}))
}

export function factsOfUpload({ destination, search, selected }: UploadState): WizardFacts {
  return {
    hasDestination: destination !== undefined,
    foundStudies: search.kind === 'other' ? 1 : (planOf(search)?.studyCount ?? 0),
    selectedStudies: search.kind === 'other' ? Number(hasImages(search.other)) : selected.size,
    isFormValid: search.kind !== 'other' || isFormValid(search.other),
  }
}

/**
 * Reads what was dropped or browsed for. On success the wizard moves to step 2.
 * @param wrap given where single files were chosen that need not be DICOM
 * @param more.source handles of what was chosen
 * @param more.joins adds to the exams that were found before; without it those give way
 * @param more.onFound says whether somebody else goes on from step 2
 */
export async function searchExams(
  walk: (signal: AbortSignal) => AsyncIterable<WalkBatch>,
  wrap?: WrapTerms,
  more: {
    source?: UploadSource | Promise<UploadSource>
    joins?: boolean
    onFound?: (plan: UploadPlan) => Promise<boolean>
  } = {},
): Promise<void> {
  stopSearch()
  const mine = new AbortController()
  searching = mine
  const { signal } = mine
  setUploadProgress('preparing')
  const { search: found, source: foundIn, selected: foundChosen, leftOut: foundLeftOut } = read()
  const before = more.joins && found.kind === 'found' ? found.exams : undefined
  joined = before && { search: found, source: foundIn, selected: foundChosen, leftOut: foundLeftOut }
  put({
    search: { kind: 'reading', progress: { seen: 0, read: 0, instances: 0 } },
    source: { handles: [] },
    selected: new Set(),
    leftOut: new Set(),
    alreadyHere: new Map(),
    ...(before ? {} : { mrns: {}, typedBefore: new Set() }),
    onePatient: undefined,
    answers: new Set(),
    held: new Map(),
    refusedTries: 0,
    outcome: undefined,
  })
  try {
    const exams = await findExams(walk(signal), { signal, before, onProgress: showSparsely(signal) })
    if (signal.aborted) return
    const { plan, skipped, others } = exams
    if (plan.sizeBytes === 0 && wrap && others.length > 0) {
      await takeOtherFiles(others, leftOutOf(skipped), wrap)
      return
    }
    if (plan.sizeBytes === 0) {
      put({ search: { kind: 'failed', reason: 'no-exams', skipped, others } })
      return
    }
    resetUploadProgress()
    const source = joinSources(before && foundIn, (await more.source) ?? { handles: [] })
    const unchosen = listUnchosen(before?.plan, foundChosen)
    const typedBefore = await listTypedBefore(plan.patients)
    await giveTurn()
    if (signal.aborted) return
    put(({ mrns }) => ({
      search: { kind: 'found', exams },
      source,
      typedBefore,
      // an empty field, so that what was typed is not taken for that of the images
      mrns: { ...Object.fromEntries([...typedBefore].map((key) => [key, ''])), ...mrns },
      selected: new Set(listStudies(plan).flatMap(({ studyUid }) => (unchosen.has(studyUid) ? [] : [studyUid]))),
      leftOut: before ? foundLeftOut : new Set(),
      step: 2,
    }))
    joined = undefined
    await giveTurn()
    if (await more.onFound?.(plan)) return
    await askDestination(plan)
  } catch (error) {
    if (signal.aborted) return
    put({ search: { kind: 'failed', reason: 'cannot-load', skipped: [], others: [] }, ...joined })
    throw error
  } finally {
    if (searching === mine) resetUploadProgress()
  }
}

/** Exams to which the search under way adds: they are back where it ends early. */
let joined: Pick<UploadState, 'search' | 'source' | 'selected' | 'leftOut'> | undefined

/** Handles of two choices together: none where the browser gave none of one, as the whole would not outlast the page. */
function joinSources(before: UploadSource | undefined, source: UploadSource): UploadSource {
  if (!before) return source
  const isWhole = before.handles.length > 0 && source.handles.length > 0
  return { ...before, handles: isWhole ? [...before.handles, ...source.handles] : [] }
}

/** Studies that were found before and that the person left out. */
function listUnchosen(plan: UploadPlan | undefined, selected: ReadonlySet<string>): ReadonlySet<string> {
  const uids = plan ? listStudies(plan).map(({ studyUid }) => studyUid) : []
  return new Set(uids.filter((uid) => !selected.has(uid)))
}

/** Forgets the exams that were found, so that something else is chosen in their place. */
export function forgetFound(): void {
  stopSearch()
  put({
    search: { kind: 'none' },
    source: { handles: [] },
    selected: new Set(),
    leftOut: new Set(),
    alreadyHere: new Map(),
    mrns: {},
    typedBefore: new Set(),
  })
}

/** Stops the search under way and forgets what it found so far. */
export function stopSearch(): void {
  searching?.abort(new DOMException('The search was stopped', 'AbortError'))
  comparing?.abort()
  searching = undefined
  if (read().search.kind === 'reading') resetUploadProgress()
  put((state) => (state.search.kind === 'reading' ? { search: { kind: 'none' }, ...joined } : {}))
  joined = undefined
}

/** Chooses studies with all their series, or none of them. */
export function selectStudies(studyUids: readonly string[], isSelected: boolean): void {
  put(({ selected, leftOut }) => {
    const next = new Set(selected)
    for (const uid of studyUids) {
      if (isSelected) next.add(uid)
      else next.delete(uid)
    }
    const whole = new Set(studyUids)
    return { selected: next, leftOut: new Set([...leftOut].filter((key) => !whole.has(key.split(' ')[0] ?? ''))) }
  })
}

/** Chooses one series of a study, or leaves it out; a study without a series is not chosen. */
export function selectSeries({ studyUid, series }: PlannedStudy, seriesUid: string, isSelected: boolean): void {
  put(({ selected, leftOut }) => {
    const isChosen = (uid: string) =>
      uid === seriesUid ? isSelected : selected.has(studyUid) && !leftOut.has(seriesKey(studyUid, uid))
    const next = new Set(leftOut)
    for (const { seriesUid: uid } of series) {
      if (isChosen(uid)) next.delete(seriesKey(studyUid, uid))
      else next.add(seriesKey(studyUid, uid))
    }
    const chosen = new Set(selected)
    if (series.some(({ seriesUid: uid }) => isChosen(uid))) return { selected: chosen.add(studyUid), leftOut: next }
    chosen.delete(studyUid)
    for (const { seriesUid: uid } of series) next.delete(seriesKey(studyUid, uid))
    return { selected: chosen, leftOut: next }
  })
}

/** Back to the initial values: at the end of an upload, and when another person signs in on this page. */
export function resetWizard(preset: Partial<UploadState> = {}): void {
  stopSearch()
  put({ ...initialUpload, ...preset }, true)
}

/** The comparison under way: choosing another place ends it. */
let comparing: AbortController | undefined

/** Asks the destination what it has of the exams, and whom it knows by their MRNs, while the person looks at them. */
async function askDestination(plan: UploadPlan): Promise<void> {
  await Promise.all([findAlreadyHere(plan), read().destination && askAboutFound()])
}

/** Finds studies that the destination has already, by hash; the upload asks again. */
async function findAlreadyHere(plan: UploadPlan): Promise<void> {
  comparing?.abort()
  const mine = new AbortController()
  comparing = mine
  const { destination } = read()
  if (!destination) return
  const files = listStudies(plan).flatMap(listFiles)
  const show = (verdicts: ReadonlyMap<PlannedFile, UploadVerdict>) => {
    const { search, destination: current } = read()
    const isStillShown = search.kind === 'found' && search.exams.plan === plan
    if (isStillShown && current?.namespaceId === destination.namespaceId) {
      put({ alreadyHere: countAlreadyHere(files, verdicts) })
    }
  }
  const { signal } = mine
  const ask = <Reply>(act: (given: AbortSignal) => Promise<Reply>) => act(signal)
  const onNamed = (named: readonly PlannedFile[]) => {
    const open = new Set(named)
    show(new Map(files.filter((one) => !open.has(one)).map((one) => [one, 'missing'])))
  }
  try {
    const { verdicts } = await compareFiles(destination.namespaceId, files, new Map(), { ask, signal, onNamed })
    show(new Map(files.map((one) => [one, verdicts.get(one) ?? 'missing'])))
  } catch {
    if (!signal.aborted) put({ alreadyHere: new Map() })
    return // Without the hint every study reads "New"; the upload itself asks again and tells what is wrong.
  }
}

function showSparsely(signal: AbortSignal) {
  let shownAtMs = 0
  return (progress: FindProgress) => {
    const nowMs = performance.now()
    if (signal.aborted || nowMs - shownAtMs < SHOWN_EVERY_MS) return
    shownAtMs = nowMs
    put({ search: { kind: 'reading', progress } })
  }
}
