import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconSearch } from '../../ui/icons.ts'
import { ExamList } from './exam-list.tsx'
import { findExamMarks } from './exam-marks.ts'
import {
  type ExamKind,
  type ExamMarks,
  findExamsBy,
  kindOf,
  listExamRows,
  type ExamStatus,
  examStatusOf,
} from './exam-rows.ts'
import tables from './exam-tables.module.css'
import { SkippedList } from './skipped-list.tsx'
import style from './upload.module.css'
import { countFiles, partText, patientName, studyCountText } from './upload-format.ts'
import { isMixed, narrowPlan, withoutSeries, type PlannedPatient, type PlannedStudy } from './upload-plan.ts'
import { countHere, type UploadState } from './upload-store.ts'
import { selectStudies } from './wizard-actions.ts'

const none: readonly PlannedPatient[] = []
const kinds: readonly ExamKind[] = ['all', 'look', 'here', 'new']
/** Fewer studies than this are found by eye. */
const mostWithoutFilter = 8

/** Step 2: the studies that were found by patient, each selectable (UPLOAD-05), with what the destination says of them. */
export function SelectStep({ state }: { state: UploadState }) {
  const { search, selected, leftOut, alreadyHere, source } = state
  const [words, setWords] = useState('')
  const [kind, setKind] = useState<ExamKind>('all')
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const patients = search.kind === 'found' ? search.exams.plan.patients : none
  const { destination, mrns, onePatient, held, retracted } = state
  const marks = findExamMarks(patients, { destination, mrns, onePatient, held, retracted })
  const statuses = listStatuses(patients, { alreadyHere, leftOut }, marks)
  if (search.kind !== 'found') return null
  const { plan, skipped, zips } = search.exams
  const isWholeStudy = (study: PlannedStudy) => withoutSeries(study, leftOut) === study
  const counts = countKinds(statuses)
  const shownKind = counts[kind] === 0 ? 'all' : kind
  const found = findExamsBy(
    patients,
    words,
    (_patient, { studyUid }) => shownKind === 'all' || statuses.get(studyUid)?.kind === shownKind,
  )
  const rows = listExamRows(found, { marks, folded, open, warningsOf })
  const chosen = narrowPlan(plan, selected, leftOut)
  const shown = found.flatMap(({ studies }) => studies.map(({ studyUid }) => studyUid))
  const isNarrowed = shown.length < plan.studyCount
  const shownChosen = shown.filter((uid) => selected.has(uid)).length
  const isWhole = shownChosen === shown.length && found.every(({ studies }) => studies.every(isWholeStudy))
  const summary = {
    selected: formatCount(chosen.studyCount),
    studies: studyCountText(plan.studyCount),
    part: partText(chosen.studyCount, chosen.partCount),
    files: countFiles(chosen.fileCount),
    size: formatSize(chosen.sizeBytes),
  }
  const isAllFolded = rows.every((row) => row.kind === 'patient')
  const foldAll = (isFolded: boolean) => setFolded(new Map(found.map(({ patient }) => [patient.key, isFolded])))
  const showAll = () => {
    setWords('')
    setKind('all')
  }
  return (
    <>
      <h2 tabIndex={-1}>{t('upload.select.title')}</h2>
      {source.isPartial && <Banner tone="priority">{t('upload.interrupted.changed')}</Banner>}
      {zips && zips.length > 0 && <p className={style.hint}>{zipsText(zips)}</p>}
      <SkippedList skipped={skipped} />
      <div className={tables.selectAll}>
        <Checkbox
          label={isNarrowed ? t('upload.select.allShown', { count: shown.length }) : t('upload.select.all')}
          checked={shown.length > 0 && isWhole}
          disabled={shown.length === 0}
          indeterminate={shownChosen > 0 && !isWhole}
          onChange={(event) => selectStudies(shown, event.currentTarget.checked)}
        />
        <span className={style.numbers} role="status">
          {t('upload.select.summary', summary)}
        </span>
        {plan.studyCount > mostWithoutFilter && (
          <div className={tables.narrow}>
            <TextInput
              size="xs"
              type="search"
              className={tables.find ?? ''}
              aria-label={t('upload.select.find')}
              placeholder={t('upload.select.find')}
              leftSection={<IconSearch size={14} />}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
            {patients.length > 1 && (
              <Button variant="subtle" size="compact-sm" onClick={() => foldAll(!isAllFolded)}>
                {t(isAllFolded ? 'upload.select.unfoldAll' : 'upload.select.foldAll')}
              </Button>
            )}
          </div>
        )}
      </div>
      <Kinds counts={counts} kind={shownKind} onChoose={setKind} />
      {rows.length === 0 ? (
        <div className={tables.nothing} role="status">
          <p>{t('upload.select.nothing')}</p>
          <Button variant="default" size="compact-sm" onClick={showAll}>
            {t('upload.select.showAll')}
          </Button>
        </div>
      ) : (
        <ExamList
          rows={rows}
          selected={selected}
          leftOut={leftOut}
          statuses={statuses}
          alreadyHere={alreadyHere}
          marks={marks}
          onFold={(key, isFolded) => setFolded(new Map(folded).set(key, isFolded))}
          onOpen={(uid, isOpen) => {
            const next = new Set(open)
            if (isOpen) next.add(uid)
            else next.delete(uid)
            setOpen(next)
          }}
        />
      )}
    </>
  )
}

interface KindsProps {
  counts: Readonly<Record<ExamKind, number>>
  kind: ExamKind
  onChoose: (kind: ExamKind) => void
}

/** Narrows the list to studies of one kind; not shown while all are of one. */
function Kinds({ counts, kind, onChoose }: KindsProps) {
  const offered = kinds.filter((one) => counts[one] > 0)
  if (offered.length < 3) return null
  return (
    <div className={tables.kinds} role="group" aria-label={t('upload.select.kinds')}>
      {offered.map((one) => (
        <button key={one} type="button" aria-pressed={one === kind} data-kind={one} onClick={() => onChoose(one)}>
          {t(`upload.select.kind.${one}`)} <span>{formatCount(counts[one])}</span>
        </button>
      ))}
    </div>
  )
}

/** How each study stands, and the kind that it counts as. */
function listStatuses(
  patients: readonly PlannedPatient[],
  { alreadyHere, leftOut }: Pick<UploadState, 'alreadyHere' | 'leftOut'>,
  marks: ExamMarks,
): ReadonlyMap<string, { status: ExamStatus; kind: Exclude<ExamKind, 'all'> }> {
  return new Map(
    patients.flatMap(({ key, studies }) =>
      studies.map((study) => {
        const chosen = withoutSeries(study, leftOut)
        const status = examStatusOf(chosen, countHere(chosen, study, alreadyHere), marks)
        return [study.studyUid, { status, kind: kindOf(status, marks.patients.has(key)) }]
      }),
    ),
  )
}

function countKinds(statuses: ReturnType<typeof listStatuses>): Record<ExamKind, number> {
  const counts = { all: statuses.size, look: 0, here: 0, new: 0 }
  for (const { kind } of statuses.values()) counts[kind]++
  return counts
}

/** Notes for the person who uploads on the files of a study. */
function warningsOf(study: PlannedStudy): string[] {
  const { people, sameUidFiles } = study
  return [
    isMixed(study) && t('upload.select.mixed', { people: people.map(({ name }) => patientName(name)).join(' / ') }),
    sameUidFiles > 0 && t('upload.select.sameUid', { count: sameUidFiles }),
  ].filter((text) => text !== false)
}

const namedZips = 3

/** Names of opened ZIP files without their folders, in a sentence; of many the first ones. */
function zipsText(paths: readonly string[]): string {
  const count = paths.length
  const names = paths.slice(0, namedZips).map((path) => path.split('/').at(-1))
  const text = { count, names: names.join(', ') }
  return count > namedZips
    ? t('upload.select.manyZips', { ...text, more: formatCount(count - namedZips) })
    : t('upload.select.zips', text)
}
