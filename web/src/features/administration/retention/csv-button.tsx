import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { toCsv } from '@hilum/contract/csv'
import { t } from '../../../labels/label.ts'
import { putNotice } from '../../../state/notices.ts'
import { IconDownload } from '../../../ui/icons.ts'
import { saveFile } from '../../../ui/save-file.ts'

interface CsvButtonProps<Row> {
  name: string
  head: readonly string[]
  load: () => Promise<{ rows: readonly Row[]; isCut: boolean }>
  cellsOf: (row: Row) => string[]
}

/** Downloads every row that the filter finds as a table for spreadsheets. Times are in UTC, as the server keeps them. */
export function CsvButton<Row>({ name, head, load, cellsOf }: CsvButtonProps<Row>) {
  const save = useMutation({
    mutationFn: load,
    onSuccess: ({ rows, isCut }) => {
      saveFile(name, toCsv([[...head], ...rows.map(cellsOf)]))
      if (isCut) putNotice(t('retention.csvCut', { count: rows.length }))
    },
    onError: () => putNotice(t('retention.csvFailed')),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {t('retention.csv')}
    </Button>
  )
}

/** A moment of the wire for a table: `2026-03-04T10:00:00Z`; empty of none. */
export function csvStamp(stamp: string | null): string {
  return stamp ? `${stamp.slice(0, 10)}T${stamp.slice(11, 19)}Z` : ''
}
