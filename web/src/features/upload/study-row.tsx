import { ActionIcon, Checkbox } from '@mantine/core'
import { memo, useId, useState } from 'react'
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
import tables from './exam-tables.module.css'
import style from './upload.module.css'
import { countFiles, patientName } from './upload-format.ts'
import { isMixed, type PlannedStudy } from './upload-plan.ts'
import { selectStudies } from './wizard-actions.ts'

interface Props {
  study: PlannedStudy
  isSelected: boolean
  /** The study's files at the destination; undefined until asked. */
  here: { have: number; conflict: number; open: number; of: number } | undefined
}

/** One study of the select step, with its series below on demand. */
export const UploadStudyRow = memo(function UploadStudyRow({ study, isSelected, here }: Props) {
  const { dateFormat } = usePreferences()
  const [isOpen, setIsOpen] = useState(false)
  const seriesId = useId()
  const date = formatDate(study.date, dateFormat)
  const description = study.description || t('upload.select.noDescription')
  return (
    <>
      <tr data-selected={isSelected}>
        <td>
          <div className={tables.pick}>
            <Checkbox
              aria-label={t('upload.select.study', { description, date })}
              checked={isSelected}
              onChange={(event) => selectStudies([study.studyUid], event.currentTarget.checked)}
            />
            <ActionIcon
              size="sm"
              aria-expanded={isOpen}
              aria-controls={seriesId}
              aria-label={t(isOpen ? 'upload.select.hideSeries' : 'upload.select.showSeries')}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
            </ActionIcon>
          </div>
        </td>
        <td data-column="date">{date || <span className={tables.facts}>{t('upload.select.noDate')}</span>}</td>
        <td data-column="modality">{study.modalities.join(', ')}</td>
        <td data-column="description">{description}</td>
        <td data-column="accession">{study.accessionNumber}</td>
        <td data-column="series">{formatCount(study.series.length)}</td>
        <td data-column="files">{formatCount(study.fileCount)}</td>
        <td data-column="size">{formatSize(study.sizeBytes)}</td>
        <td data-column="status">
          <StudyStatus study={study} here={here} />
        </td>
      </tr>
      <StudyWarnings study={study} />
      {isOpen && <SeriesRows id={seriesId} study={study} />}
    </>
  )
})

/** UPLOAD-12: "New", or what the destination has of it already. Always icon and word. */
function StudyStatus({ study, here }: Pick<Props, 'study' | 'here'>) {
  if (isMixed(study))
    return <Status tone="priority" icon={<IconAlertTriangleFilled size={13} />} text={t('upload.status.mixed')} />
  if (here && here.open > 0) {
    return <Status tone="queued" icon={<IconClockHour4 size={13} />} text={t('upload.status.comparing')} />
  }
  if (here && here.conflict > 0) {
    return <Status tone="priority" icon={<IconAlertTriangleFilled size={13} />} text={t('upload.status.conflict')} />
  }
  if (here && here.have === here.of) {
    return <Status tone="completed" icon={<IconCircleCheckFilled size={13} />} text={t('upload.status.here')} />
  }
  const text = here && here.have > 0 ? t('upload.status.partly', here) : t('upload.status.new')
  return <Status tone="queued" icon={<IconPlus size={13} />} text={text} />
}

function Status({ tone, icon, text }: { tone: string; icon: React.ReactNode; text: string }) {
  return (
    <span className={tables.status} data-tone={tone}>
      {icon}
      {text}
    </span>
  )
}

function StudyWarnings({ study }: { study: PlannedStudy }) {
  const { people, sameUidFiles } = study
  const warnings = [
    isMixed(study) && t('upload.select.mixed', { people: people.map(({ name }) => patientName(name)).join(' / ') }),
    sameUidFiles > 0 && t('upload.select.sameUid', { count: sameUidFiles }),
  ].filter((text) => text !== false)
  if (warnings.length === 0) return null
  return (
    <tr className={tables.warning}>
      <td />
      <td colSpan={8}>
        {warnings.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </td>
    </tr>
  )
}

function SeriesRows({ id, study }: { id: string; study: PlannedStudy }) {
  return (
    <tr>
      <td />
      <td colSpan={8} id={id}>
        <ul className={tables.series}>
          {study.series.map(({ seriesUid, number, modality, description, files, sizeBytes }) => (
            <li key={seriesUid}>
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
