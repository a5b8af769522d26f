import { type LabelKey, t } from '../../labels/label.ts'
import type { ListedAttachment, ReceivedAttachment } from '../../queries/attachments.ts'
import type { StoredReport } from '../../queries/reports.ts'

/** A report of an exam: an object among its images, or a PDF that was attached. */
export type ReportRow = { key: string; name: string; kindText: string } & (
  | { kind: 'object'; report: StoredReport }
  | { kind: 'attached'; attachment: ReceivedAttachment }
)

const kinds = {
  structured: 'reports.kind.structured',
  pdf: 'reports.kind.pdf',
  clinical: 'reports.kind.clinical',
} as const satisfies Record<StoredReport['kind'], LabelKey>

/** All reports of an exam; those of one name are told apart by a number. */
export function reportRows(reports: readonly StoredReport[], files: readonly ListedAttachment[]): ReportRow[] {
  const rows: ReportRow[] = [
    ...reports.map((report) => ({
      kind: 'object' as const,
      key: `${report.image.id} ${report.image.version}`,
      name: report.series.series_description?.trim() || t(kinds[report.kind]),
      kindText: t(kinds[report.kind]),
      report,
    })),
    ...files.filter(isPdf).map((attachment) => ({
      kind: 'attached' as const,
      key: attachment.version,
      name: attachment.filename,
      kindText: t('reports.kind.attached'),
      attachment,
    })),
  ]
  const byName = Map.groupBy(rows, ({ name }) => name)
  return rows.map((row) => {
    const same = byName.get(row.name) ?? []
    if (same.length < 2) return row
    return { ...row, name: t('reports.numbered', { name: row.name, number: same.indexOf(row) + 1 }) }
  })
}

/** By its name: what it really is shows when it is read. */
function isPdf({ filename }: Pick<ReceivedAttachment, 'filename'>): boolean {
  return filename.toLowerCase().endsWith('.pdf')
}
