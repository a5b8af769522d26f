import '@mantine/core/styles/Table.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { Checkbox, Table } from '@mantine/core'
import { Fragment, type MouseEvent } from 'react'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { outsideMrn } from '../../../queries/outside-mrn.ts'
import { useTagHue } from '../../../session/tag-hue.ts'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconArrowDown, IconArrowUp } from '../../../ui/icons.ts'
import { StarButton } from '../star-button.tsx'
import { UnreadDot } from '../unread-dot.tsx'
import type { ColumnWidths } from './column-widths.ts'
import { type WorklistSort, gridColumns, type Reader } from './columns.ts'
import { WidthHandle } from './width-handle.tsx'
import style from './worklist.module.css'

interface StudyGridProps {
  studies: readonly Study[]
  reader: Reader
  /** Ids of the shown columns, in their order. */
  chosen: readonly string[]
  widths: ColumnWidths
  onWidth: (column: string, width: number | undefined, isFinal: boolean) => void
  sort: WorklistSort
  selectedUuid: string | undefined
  /** GRID-02: kept over the pages. */
  marked: ReadonlyMap<string, Study>
  onSort: (sort: WorklistSort) => void
  onSelect: (study: Study, event: MouseEvent) => void
  onStar: (study: Study) => void
  onMark: (studies: readonly Study[], isMarked: boolean, range?: Study) => void
}

/** Studies in rows: sorted and paged by the server (GRID-01), with the columns that the person chose. */
export function StudyGrid(props: StudyGridProps) {
  const { studies, reader, chosen, widths, sort, marked, selectedUuid } = props
  // saved choices may name columns that are no more
  const columns = chosen.flatMap((id) => gridColumns.find((column) => column.id === id) ?? [])
  const markedHere = studies.filter(({ uuid }) => marked.has(uuid)).length
  return (
    <Table className={style.grid} stickyHeader verticalSpacing={0} horizontalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={style.markCell}>
            <Checkbox
              aria-label={t('list.selectAll')}
              disabled={studies.length === 0}
              checked={studies.length > 0 && markedHere === studies.length}
              indeterminate={markedHere > 0 && markedHere < studies.length}
              onChange={(event) => props.onMark(studies, event.currentTarget.checked)}
            />
          </Table.Th>
          {columns.map((column) => (
            <HeaderCell
              key={column.id}
              column={column}
              width={widths[column.id]}
              sort={sort}
              onSort={props.onSort}
              onWidth={(width, isFinal) => props.onWidth(column.id, width, isFinal)}
            />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {studies.map((study) => {
          const name = nameText(study.patient_name) || t('card.noName')
          return (
            <Table.Tr
              key={study.uuid}
              data-selected={study.uuid === selectedUuid || undefined}
              data-unread={study.unread === 1 || undefined}
              // The name's button serves keys and screen readers; a pointer may press anywhere else.
              onClick={(event) => {
                const isControl = event.target instanceof Element && event.target.closest('button, input, label, a')
                if (!isControl && !getSelection()?.toString()) props.onSelect(study, event)
              }}
            >
              <Table.Td className={style.markCell}>
                <div className={style.marks}>
                  <Checkbox
                    aria-label={t('list.select', { name })}
                    checked={marked.has(study.uuid)}
                    onChange={(event) => {
                      const isRange = 'shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true
                      props.onMark([study], event.currentTarget.checked, isRange ? study : undefined)
                    }}
                  />
                  <StarButton study={study} name={name} onStar={props.onStar} />
                </div>
              </Table.Td>
              {columns.map((column, at) => {
                const text = column.text(study, reader)
                const outside = column.id === 'mrn' ? outsideMrn(study) : undefined
                return (
                  <Table.Td
                    key={column.id}
                    title={outside ? t('grid.outside', { number: text, words: outside }) : text}
                    style={widthStyle(widths[column.id])}
                  >
                    {at === 0 && <UnreadDot study={study} className={style.unread} />}
                    {at === 0 ? (
                      <button
                        type="button"
                        className={style.open}
                        data-card={study.uuid}
                        aria-current={study.uuid === selectedUuid || undefined}
                        onClick={(event) => props.onSelect(study, event)}
                      >
                        {text || name}
                      </button>
                    ) : column.id === 'tags' ? (
                      <Tags tags={study.tags} />
                    ) : (
                      text
                    )}
                    {outside && <HeardOnly>{outside}</HeardOnly>}
                  </Table.Td>
                )
              })}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  const hueOf = useTagHue()
  return tags.map((tag, at) => (
    <Fragment key={tag}>
      {at > 0 && ', '}
      <span className={style.tag} data-tag-hue={hueOf(tag)}>
        {tag}
      </span>
    </Fragment>
  ))
}

function widthStyle(width: number | undefined) {
  return width === undefined ? undefined : { width, minWidth: width, maxWidth: width }
}

interface HeaderCellProps {
  column: (typeof gridColumns)[number]
  width: number | undefined
  onWidth: (width: number | undefined, isFinal: boolean) => void
  sort: WorklistSort
  onSort: (sort: WorklistSort) => void
}

function HeaderCell({ column, width, sort, onSort, onWidth }: HeaderCellProps) {
  const isSorted = sort.column === column.id
  const Icon = sort.isDescending ? IconArrowDown : IconArrowUp
  const direction = sort.isDescending ? 'descending' : 'ascending'
  return (
    <Table.Th aria-sort={isSorted ? direction : undefined} className={style.headCell} style={widthStyle(width)}>
      {column.sort ? (
        <button
          type="button"
          className={style.sort}
          onClick={() => onSort({ column: column.id, isDescending: isSorted && !sort.isDescending })}
        >
          {column.label()}
          {isSorted && <Icon size={13} aria-hidden="true" />}
        </button>
      ) : (
        column.label()
      )}
      <WidthHandle column={column.label()} width={width} onWidth={onWidth} />
    </Table.Th>
  )
}
