import type { LinkedStudy } from '@hilum/contract/calls/link-open'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { attachmentsQuery, type ReceivedAttachment } from '../../queries/attachments.ts'
import { reportsAmong } from '../../queries/reports.ts'
import { studySchemaQuery } from '../../queries/study-schema.ts'
import { WrittenDates } from '../../session/preferences.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActFailure } from './act-failure.tsx'
import { AttachmentTable } from './attachment-table.tsx'
import { AttachmentView } from './attachment-view.tsx'
import panel from './exam-panel.module.css'
import { reportRows } from './report-rows.ts'
import { ReportTable, ShownReport } from './reports-tab.tsx'

/** Reports and attached files of an exam for somebody who opened a link to it: listed, read in place, and saved. */
export function LinkedFiles({ study, sid }: { study: LinkedStudy; sid: string }) {
  const place = { ...study, sid }
  const schema = useQuery({ ...studySchemaQuery(place, study.image_count), select: reportsAmong })
  const attached = useQuery({ ...attachmentsQuery(place), enabled: study.attachment_count > 0 })
  const [read, setRead] = useState<string>()
  const [shown, setShown] = useState<ReceivedAttachment>()
  const failed = [schema, attached].find((one) => one.isLoadingError)
  if (failed)
    return <ActFailure text={t('link.filesFailed')} failure={failed.error} onRetry={() => void failed.refetch()} />
  if (schema.isLoading || attached.isLoading) return <LoadingState label={t('loading')} />
  // attached documents stand among the files
  const reports = reportRows(schema.data ?? [], [])
  const files = study.attachment_count > 0 ? (attached.data ?? []) : []
  const report = reports.find(({ key }) => key === read)
  return (
    <WrittenDates value>
      {reports.length + files.length === 0 && <p className={panel.note}>{t('link.noFiles')}</p>}
      {reports.length > 0 && <ReportTable study={place} rows={reports} onRead={setRead} />}
      {report && (
        <ShownReport key={report.key} study={place} row={report} isQuiet={false} onClose={() => setRead(undefined)} />
      )}
      {files.length > 0 && <AttachmentTable study={place} files={files} onShow={setShown} onRemove={undefined} />}
      {shown && (
        <AttachmentView key={shown.version} study={place} attachment={shown} onClose={() => setShown(undefined)} />
      )}
    </WrittenDates>
  )
}
