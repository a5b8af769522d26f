import type { Study } from '@hilum/contract/entities/study'
import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { attachmentAddress } from '../../api/attachments.ts'
import { formatDate, formatTime } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { reportPdfAddress } from '../../queries/reports.ts'
import type { StudyPlace } from '../../queries/study-schema.ts'
import { useShownDates } from '../../session/preferences.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { IconDownload, IconEye } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import { ActFailure } from './act-failure.tsx'
import { AttachmentView } from './attachment-view.tsx'
import panel from './exam-panel.module.css'
import type { ReportRow } from './report-rows.ts'
import { ReportView } from './report-view.tsx'
import { useStampText } from './stamp-text.ts'
import { useReports } from './use-reports.ts'

/** Reports of an exam: structured reports and documents among its images, and attached PDFs. */
export function ReportsTab({ study }: { study: Study }) {
  const { rows, isLoading, failure, filesFailure, onRetry } = useReports(study)
  const [chosen, setChosen] = useState<string | null>()
  // A lone report is what somebody came for.
  const shown =
    rows.find(({ key }) => key === chosen) ?? (chosen === undefined && rows.length === 1 ? rows[0] : undefined)
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('reports.title')}</h3>
      {failure && <ActFailure text={t('reports.failed')} failure={failure} onRetry={onRetry} />}
      {filesFailure && !failure && (
        <FailedBanner retry={t('button.retry')} onRetry={onRetry}>
          {t('reports.attachedFailed')}
        </FailedBanner>
      )}
      {isLoading && <LoadingState label={t('loading')} />}
      {rows.length === 0 && !isLoading && !failure && !filesFailure && (
        <p className={panel.note}>{t('reports.none')}</p>
      )}
      {rows.length > 0 && <ReportTable study={study} rows={rows} onRead={setChosen} />}
      {shown && (
        <ShownReport
          key={shown.key}
          study={study}
          row={shown}
          isQuiet={chosen === undefined}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  )
}

export function ShownReport({
  row,
  ...rest
}: {
  study: StudyPlace
  row: ReportRow
  isQuiet: boolean
  onClose: () => void
}) {
  return row.kind === 'attached' ? (
    <AttachmentView attachment={row.attachment} {...rest} />
  ) : (
    <ReportView name={row.name} report={row.report} {...rest} />
  )
}

interface ReportTableProps {
  study: StudyPlace
  rows: readonly ReportRow[]
  onRead: (key: string) => void
}

export function ReportTable({ study, rows, onRead }: ReportTableProps) {
  const dateText = useDateText()
  return (
    <div className={style.tableScroll}>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col">{t('reports.name')}</th>
            <th scope="col">{t('reports.kind')}</th>
            <th scope="col">{t('reports.date')}</th>
            <th scope="col">{t('attach.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const address = savedFrom(study, row)
            return (
              <tr key={row.key}>
                <td>{row.name}</td>
                <td data-tight>{row.kindText}</td>
                <td data-tight>{dateText(row)}</td>
                <td>
                  <span className={style.rowActions}>
                    <ActionIcon
                      size={26}
                      aria-label={t('reports.read', { name: row.name })}
                      onClick={() => onRead(row.key)}
                    >
                      <IconEye size={16} />
                    </ActionIcon>
                    {address && (
                      <ActionIcon
                        size={26}
                        component="a"
                        href={address}
                        download={row.name.endsWith('.pdf') ? row.name : `${row.name}.pdf`}
                        aria-label={t('reports.savePdf', { name: row.name })}
                      >
                        <IconDownload size={16} />
                      </ActionIcon>
                    )}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Where a document can be saved from; undefined for what is no document of its own. */
function savedFrom(study: StudyPlace, row: ReportRow): string | undefined {
  if (row.kind === 'attached') return attachmentAddress(study, row.attachment)
  return row.report.kind === 'pdf' ? reportPdfAddress(study, row.report) : undefined
}

function useDateText(): (row: ReportRow) => string {
  const { dateFormat } = useShownDates()
  const stampText = useStampText()
  return (row) => {
    if (row.kind === 'attached') return stampText(row.attachment.stored)
    const { series_date: date, series_time: time } = row.report.series
    return [formatDate(date, dateFormat), formatTime(time)].filter(Boolean).join(' ')
  }
}
