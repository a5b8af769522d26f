import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { type AuditSource, auditQuery, listAudit, noAuditFilters } from '../../../queries/audit.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { putNotice } from '../../../state/notices.ts'
import { DataGrid } from '../../../ui/data-grid.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { gridPaging } from '../grid/grid-paging.ts'
import style from './audit.module.css'
import { auditGridColumns } from './audit-columns.tsx'
import { auditTable } from './audit-csv.ts'
import { AuditFilter } from './audit-filter.tsx'

const askAfterMs = 300

/** Everything on record, page by page. The exam that is looked for stays out of the address, since it names a patient. */
export function AuditLog({ source, lead }: { source: AuditSource; lead: string }) {
  const { dateFormat, timeZone } = usePreferences()
  const { view, handleView, typed, filters, handleFilter, countInForce } = useGridPage({
    name: 'audit',
    sorts: ['when'],
    noFilters: noAuditFilters,
  })
  const [typedStudy, setTypedStudy] = useState('')
  const [study] = useDebouncedValue(typedStudy, askAfterMs)
  const answer = useQuery(auditQuery(source, view, filters, study))
  const { data } = answer
  const load = useMutation({
    mutationFn: () => listAudit(source, filters, study),
    onSuccess: ({ events, isCut }) => {
      saveFile(t('audit.csvName'), auditTable(events))
      if (isCut) putNotice(t('audit.csvCut', { count: events.length }))
    },
    onError: () => putNotice(t('audit.csvFailed')),
  })
  const total = data?.page.total
  const texts = gridTexts(
    {
      label: t('audit.label'),
      failed: t('audit.failed'),
      empty: t(countInForce > 0 || study ? 'audit.noneFound' : 'audit.empty'),
    },
    total,
  )
  return (
    <>
      <p className={style.lead}>{lead}</p>
      <AuditFilter
        filters={typed}
        study={typedStudy}
        onChange={handleFilter}
        onStudy={(text) => {
          setTypedStudy(text)
          handleView({ ...view, page: 1 })
        }}
      />
      <div className={style.bar}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
          loading={load.isPending}
          onClick={() => load.mutate()}
        >
          {t('audit.csv')}
        </Button>
      </div>
      <DataGrid
        texts={{
          ...texts,
          range: (from, to) =>
            total === undefined ? t('audit.rowsFrom', { from, to }) : t('audit.rowsOf', { from, to, total }),
        }}
        columns={auditGridColumns(dateFormat, timeZone)}
        rows={data?.events}
        keyOf={(event) => event.uuid}
        nameOf={(event) => event.action}
        {...gridPaging(answer, view, handleView)}
      />
    </>
  )
}
