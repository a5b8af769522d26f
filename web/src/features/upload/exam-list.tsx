import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useRef } from 'react'
import { t } from '../../labels/label.ts'
import type { ExamKind, ExamMarks, ExamRow, ExamStatus } from './exam-rows.ts'
import tables from './exam-tables.module.css'
import { NoteRow, PatientHeadRow, SeriesRow, UploadStudyRow } from './study-row.tsx'
import { patientName } from './upload-format.ts'
import { withoutSeries, type PlannedStudy } from './upload-plan.ts'
import { countHere, type UploadState } from './upload-store.ts'

const columns = ['date', 'modality', 'description', 'accession', 'series', 'files', 'size', 'status'] as const

/** Heights of rows until they are drawn. */
const estimatedPx = { patient: 39, study: 36, note: 26, series: 60 }

interface Props {
  rows: readonly ExamRow[]
  selected: ReadonlySet<string>
  leftOut: ReadonlySet<string>
  statuses: ReadonlyMap<string, { status: ExamStatus; kind: Exclude<ExamKind, 'all'> }>
  alreadyHere: UploadState['alreadyHere']
  marks: ExamMarks
  onFold: (patientKey: string, isFolded: boolean) => void
  onOpen: (studyUid: string, isOpen: boolean) => void
}

/**
 * Patients and their studies below one head of columns. A thousand studies are possible, so only rows in view are drawn;
 * empty rows stand for the others. Each patient is a group of rows.
 */
export function ExamList({ rows, selected, leftOut, statuses, alreadyHere, marks, onFold, onOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the compiler leaves this component alone, which is right
  const { getVirtualItems, getTotalSize, measureElement } = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => estimatedPx[rows[index]?.kind ?? 'study'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    initialRect: { width: 1000, height: 600 },
  })
  const items = getVirtualItems()
  const groups = groupByPatient(items.flatMap((item) => (rows[item.index] ? [{ item, row: rows[item.index]! }] : [])))
  const tickOf = (study: PlannedStudy) => {
    if (!selected.has(study.studyUid)) return 'none'
    return withoutSeries(study, leftOut) === study ? 'all' : 'part'
  }
  let drawnToPx = 0
  const gapBefore = (startPx: number, endPx: number) => {
    const gapPx = startPx - drawnToPx
    drawnToPx = endPx
    return gapPx > 0 ? <tr aria-hidden="true" className={tables.gap} style={{ height: gapPx }} /> : null
  }
  function draw(row: ExamRow, index: number) {
    const place = { index, ref: measureElement }
    switch (row.kind) {
      case 'patient':
        return (
          <PatientHeadRow
            {...place}
            patient={row.patient}
            studies={row.studies}
            isFolded={row.isFolded}
            ticks={row.studies.map(tickOf).join()}
            statuses={row.studies.map(({ studyUid }) => statuses.get(studyUid)?.status ?? 'new').join()}
            mark={marks.patients.get(row.patient.key)}
            onFold={onFold}
          />
        )
      case 'study':
        return (
          <UploadStudyRow
            {...place}
            study={row.study}
            tick={tickOf(row.study)}
            chosen={withoutSeries(row.study, leftOut)}
            status={statuses.get(row.study.studyUid)?.status ?? 'new'}
            here={countHere(withoutSeries(row.study, leftOut), row.study, alreadyHere)}
            isOpen={row.isOpen}
            onOpen={onOpen}
          />
        )
      case 'note':
        return <NoteRow {...place} tone={row.tone} texts={row.texts} />
      case 'series':
        return (
          <SeriesRow
            {...place}
            study={row.study}
            chosen={selected.has(row.study.studyUid) ? withoutSeries(row.study, leftOut).series : []}
          />
        )
    }
  }
  return (
    // A list that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={tables.frame} data-list ref={frame} tabIndex={0} role="group" aria-label={t('upload.select.table')}>
      <table className={tables.table} aria-label={t('upload.select.table')} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th aria-label={t('upload.column.select')} />
            {columns.map((column) => (
              <th key={column} data-column={column}>
                {t(`upload.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ name, drawn }) => (
          <tbody key={drawn[0]?.row.key} aria-label={name && t('upload.select.tableOf', { name })}>
            {drawn.map(({ item, row }) => (
              <Fragment key={row.key}>
                {gapBefore(item.start, item.end)}
                {draw(row, item.index)}
              </Fragment>
            ))}
          </tbody>
        ))}
        <tbody aria-hidden="true">{gapBefore(getTotalSize(), getTotalSize())}</tbody>
      </table>
    </div>
  )

  /** Rows of one patient each. */
  function groupByPatient<Drawn extends { item: { index: number }; row: ExamRow }>(drawn: readonly Drawn[]) {
    const all: { name: string; drawn: Drawn[] }[] = []
    for (const one of drawn) {
      const last = all.at(-1)
      if (!last || one.row.kind === 'patient') all.push({ name: nameAt(one.item.index), drawn: [one] })
      else last.drawn.push(one)
    }
    return all
  }

  /** The patient of a row whose own head may be out of view. */
  function nameAt(index: number): string {
    for (let at = index; at >= 0; at--) {
      const row = rows[at]
      if (row && 'patient' in row) return patientName(row.patient.name)
    }
    return ''
  }
}
