import { attachmentVersion } from '@hilum/contract/routes/storage-attachments'
import { studySchema } from '@hilum/contract/routes/storage-studies'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { attachmentsQuery } from '../../queries/attachments.ts'
import { reportsAmong } from '../../queries/reports.ts'
import { studySchemaQuery } from '../../queries/study-schema.ts'
import { useMayCall } from '../../session/use-may.ts'
import { type ReportRow, reportRows } from './report-rows.ts'

interface Reports {
  rows: readonly ReportRow[]
  isLoading: boolean
  /** Why what came with the images is not known. */
  failure: Error | null
  /** Why the attached files are not known. */
  filesFailure: Error | null
  onRetry: () => void
}

/** The reports of an exam, of those that the person may see. */
export function useReports(study: Study): Reports {
  const maySeeImages = useMayCall(studySchema, study.permissions)
  const maySeeFiles = useMayCall(attachmentVersion, study.permissions)
  const schema = useQuery({
    ...studySchemaQuery(study, study.image_count),
    enabled: maySeeImages && study.image_count > 0,
    select: reportsAmong,
  })
  const files = useQuery({ ...attachmentsQuery(study), enabled: maySeeFiles && study.attachment_count > 0 })
  return {
    rows: reportRows(schema.data ?? [], study.attachment_count > 0 ? (files.data ?? []) : []),
    isLoading: schema.isLoading || files.isLoading,
    failure: schema.data ? null : schema.error,
    filesFailure: files.data ? null : files.error,
    onRetry: () => {
      if (schema.error) void schema.refetch()
      if (files.error) void files.refetch()
    },
  }
}
