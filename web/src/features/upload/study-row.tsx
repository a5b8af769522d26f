import { ActionIcon, Checkbox } from '@mantine/core'
import { memo, type ReactNode, type Ref } from 'react'
import { formatDate } from '../../format/dates.ts'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import {
  IconAlertTriangleFilled,
  IconChevronDown,
  IconChevronRight,
  IconCircleCheckFilled,
  IconClockHour4,
  IconPlus,
} from '../../ui/icons.ts'
import type { ExamMarks, HereCount, ExamStatus } from './exam-rows.ts'
import tables from './exam-tables.module.css'
import style from './upload.module.css'
import { birthDateText, countFiles, patientName, sexText, studyCountText } from './upload-format.ts'
import type { PlannedPatient, PlannedSeries, PlannedStudy } from './upload-plan.ts'
import { selectSeries, selectStudies } from './wizard-actions.ts'

/** Where a row stands in the whole list, and how its height is measured. */
interface Place {
  index: number
  ref: Ref<HTMLTableRowElement>
}

/** How much of a study is selected. */
type Tick = 'all' | 'part' | 'none'

const placeOf = (index: number) => ({ 'data-index': index, 'aria-rowindex': index + 2 })

interface PatientHeadProps extends Place {
  patient: PlannedPatient
  /** Studies of the patient that are shown. */
  studies: readonly PlannedStudy[]
  isFolded: boolean
  /** Of each study, in order, whether all, part or none of it is selected. */
  ticks: string
  /** Of each study, in order, how it stands. */
  statuses: string
  mark: ExamMarks['patients'] extends ReadonlyMap<string, infer Mark> ? Mark | undefined : never
  onFold: (patientKey: string, isFolded: boolean) => void
}

/** One patient, above their studies or in their place. Drawn anew only when something of this patient changes. */
export const PatientHeadRow = memo(function PatientHeadRow(props: PatientHeadProps) {
  const { patient, studies, isFolded, ticks, statuses, mark, index, ref, onFold } = props
  const { dateFormat } = usePreferences()
  const name = patientName(patient.name)
  const all = ticks.split(',') as Tick[]
  const isWhole = all.every((one) => one === 'all')
  const facts = [
    birthDateText(patient.birthDate, dateFormat),
    sexText(patient.sex),
    patient.mrn || t('upload.select.noMrn'),
    studyCountText(studies.length),
  ]
  return (
    <tr ref={ref} {...placeOf(index)} className={tables.patientHead} data-folded={isFolded}>
      <td>
        <div className={tables.pick}>
          <Checkbox
            aria-label={t('upload.select.patient', { name })}
            checked={isWhole}
            indeterminate={!isWhole && all.some((one) => one !== 'none')}
            onChange={(event) =>
              selectStudies(
                studies.map(({ studyUid }) => studyUid),
                event.currentTarget.checked,
              )
            }
          />
          <FoldButton
            isOpen={!isFolded}
            label={t(isFolded ? 'upload.select.unfold' : 'upload.select.fold', { name })}
            onToggle={() => onFold(patient.key, !isFolded)}
          />
        </div>
      </td>
      <th scope="rowgroup" colSpan={6}>
        <span className={tables.name}>{name}</span>
        <span className={tables.facts}>{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </th>
      <td data-column="size">
        {isFolded && formatSize(studies.reduce((total, { sizeBytes }) => total + sizeBytes, 0))}
      </td>
      <td data-column="status">
        {mark ? (
          <Status
            tone={mark.isDifferent ? 'failed' : 'priority'}
            icon={<IconAlertTriangleFilled size={13} />}
            text={t(mark.isDifferent ? 'upload.status.other' : 'upload.status.mayBeOther')}
          />
        ) : (
          isFolded && <FoldedStatus statuses={statuses.split(',') as ExamStatus[]} />
        )}
      </td>
    </tr>
  )
})

const attention: readonly ExamStatus[] = ['mixed', 'other', 'retracted', 'conflict', 'comparing']

/** How the studies of a folded patient stand: the first that wants a look, one word for all, or how many are here. */
function FoldedStatus({ statuses }: { statuses: readonly ExamStatus[] }) {
  const [first] = statuses
  const wanted = attention.find((one) => statuses.includes(one))
  if (wanted) return <StudyStatus status={wanted} here={undefined} />
  if (first && first !== 'partly' && statuses.every((one) => one === first))
    return <StudyStatus status={first} here={undefined} />
  const have = statuses.filter((one) => one === 'here').length
  return (
    <Status
      tone="queued"
      icon={<IconPlus size={13} />}
      text={t('upload.status.someHere', { have, of: statuses.length })}
    />
  )
}

interface StudyRowProps extends Place {
  study: PlannedStudy
  /** The study without the series that were left out. */
  chosen: PlannedStudy
  tick: Tick
  status: ExamStatus
  /** The study's files at the destination; undefined until asked. */
  here: HereCount | undefined
  /** Whether its series are shown below. */
  isOpen: boolean
  onOpen: (studyUid: string, isOpen: boolean) => void
}

/** One study of the select step. */
export const UploadStudyRow = memo(function UploadStudyRow(props: StudyRowProps) {
  const { study, chosen, tick, status, here, isOpen, index, ref, onOpen } = props
  const { dateFormat } = usePreferences()
  const date = formatDate(study.date, dateFormat)
  const description = study.description || t('upload.select.noDescription')
  return (
    <tr ref={ref} {...placeOf(index)} data-selected={tick !== 'none'}>
      <td>
        <div className={tables.pick}>
          <Checkbox
            aria-label={t('upload.select.study', { description, date })}
            checked={tick === 'all'}
            indeterminate={tick === 'part'}
            onChange={(event) => selectStudies([study.studyUid], event.currentTarget.checked)}
          />
          <FoldButton
            isOpen={isOpen}
            label={t(isOpen ? 'upload.select.hideSeries' : 'upload.select.showSeries')}
            onToggle={() => onOpen(study.studyUid, !isOpen)}
          />
        </div>
      </td>
      <td data-column="date">{date || <span className={tables.facts}>{t('upload.select.noDate')}</span>}</td>
      <td data-column="modality">{chosen.modalities.join(', ')}</td>
      <td data-column="description">{description}</td>
      <td data-column="accession">{study.accessionNumber}</td>
      <td data-column="series">
        {tick === 'part'
          ? t('upload.select.seriesOf', { chosen: chosen.series.length, of: study.series.length })
          : formatCount(study.series.length)}
      </td>
      <td data-column="files">{formatCount(chosen.fileCount)}</td>
      <td data-column="size">{formatSize(chosen.sizeBytes)}</td>
      <td data-column="status">
        <StudyStatus status={status} here={here} />
      </td>
    </tr>
  )
})

function FoldButton({ isOpen, label, onToggle }: { isOpen: boolean; label: string; onToggle: () => void }) {
  return (
    <ActionIcon size={24} aria-expanded={isOpen} aria-label={label} onClick={onToggle}>
      {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
    </ActionIcon>
  )
}

const looks: Record<ExamStatus, { tone: string; icon: ReactNode }> = {
  mixed: { tone: 'priority', icon: <IconAlertTriangleFilled size={13} /> },
  other: { tone: 'failed', icon: <IconAlertTriangleFilled size={13} /> },
  retracted: { tone: 'priority', icon: <IconAlertTriangleFilled size={13} /> },
  conflict: { tone: 'priority', icon: <IconAlertTriangleFilled size={13} /> },
  comparing: { tone: 'queued', icon: <IconClockHour4 size={13} /> },
  here: { tone: 'completed', icon: <IconCircleCheckFilled size={13} /> },
  partly: { tone: 'queued', icon: <IconPlus size={13} /> },
  new: { tone: 'queued', icon: <IconPlus size={13} /> },
}

/** UPLOAD-12: "New", or how the study stands beside what the destination has. Always icon and word. */
function StudyStatus({ status, here }: Pick<StudyRowProps, 'status' | 'here'>) {
  const text = status === 'partly' && here ? t('upload.status.partly', { ...here }) : undefined
  return <Status {...looks[status]} text={text ?? t(`upload.status.${status as 'new'}`)} />
}

function Status({ tone, icon, text }: { tone: string; icon: ReactNode; text: string }) {
  return (
    <span className={tables.status} data-tone={tone}>
      {icon}
      {text}
    </span>
  )
}

/** Sentences about the patient or study above. */
export function NoteRow({ index, ref, tone, texts }: Place & { tone: string; texts: readonly string[] }) {
  return (
    <tr ref={ref} {...placeOf(index)} className={tables.warning} data-tone={tone}>
      <td />
      <td colSpan={8}>
        {texts.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </td>
    </tr>
  )
}

/** The series of a study, each selectable. */
export function SeriesRow(props: Place & { study: PlannedStudy; chosen: readonly PlannedSeries[] }) {
  const { index, ref, study, chosen } = props
  return (
    <tr ref={ref} {...placeOf(index)}>
      <td />
      <td colSpan={8}>
        <ul className={tables.series} aria-label={t('upload.column.series')}>
          {study.series.map(({ seriesUid, number, modality, description, files, sizeBytes }) => (
            <li key={seriesUid}>
              <Checkbox
                aria-label={t('upload.select.oneSeries', {
                  name: description || t('upload.series', { number: number ?? '' }),
                  files: countFiles(files.length),
                })}
                checked={chosen.some((one) => one.seriesUid === seriesUid)}
                onChange={(event) => selectSeries(study, seriesUid, event.currentTarget.checked)}
              />
              <span className={tables.chip}>{modality}</span>
              <span className={tables.seriesName}>{description || t('upload.series', { number: number ?? '' })}</span>
              <span className={style.numbers}>{countFiles(files.length)}</span>
              <span className={style.numbers}>{formatSize(sizeBytes)}</span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  )
}
