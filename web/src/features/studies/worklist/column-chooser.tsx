import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { t } from '../../../labels/label.ts'
import { saveSetting } from '../../../session/put-setting.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '../../../ui/icons.ts'
import { columnsKey, gridColumns, standardColumns } from './columns.ts'
import style from './worklist.module.css'

interface ColumnChooserProps {
  /** Ids of the shown columns, in their order. */
  chosen: readonly string[]
  onClose: () => void
}

/** Chooses the columns and their order, by dragging or by arrows: a setting of the user. */
export function ColumnChooser({ chosen, onClose }: ColumnChooserProps) {
  // Held here, so that a box turns with the click and not with the answer.
  const [wanted, setWanted] = useState<readonly string[]>()
  // As it was when a drag began: a change that is on its way stands in no answer yet.
  const beforeDrag = useRef<readonly string[]>(undefined)
  const { mutate, isError } = useMutation({
    mutationFn: (ids: readonly string[]) => saveSetting(columnsKey, JSON.stringify(ids)),
    onSettled: (_reply, _failure, settled) => {
      setWanted((now) => (now === settled ? undefined : now))
      if (beforeDrag.current === settled) beforeDrag.current = undefined
    },
  })
  const shown = wanted ?? chosen
  const choose = (ids: readonly string[]) => {
    setWanted(ids)
    mutate(ids)
  }
  const hidden = gridColumns.map(({ id }) => id).filter((id) => !shown.includes(id))
  const moved = (id: string, to: number) => shown.filter((one) => one !== id).toSpliced(to, 0, id)
  const [dragged, setDragged] = useState<string>()
  // The order follows the pointer, and counts where the row is let go.
  const handleDragOver = (event: DragEvent, at: number) => {
    if (dragged === undefined) return
    event.preventDefault()
    if (shown[at] !== dragged) setWanted(moved(dragged, at))
  }
  const handleDragEnd = ({ dataTransfer }: DragEvent) => {
    setDragged(undefined)
    if (dataTransfer.dropEffect === 'none') setWanted(beforeDrag.current)
    else if (wanted) choose(wanted)
  }
  return (
    <Dialog title={t('grid.columns')} closeLabel={t('button.close')} onClose={onClose}>
      {isError && <Banner tone="failed">{t('grid.columnsFailed')}</Banner>}
      <ul className={style.chooser}>
        {[...shown, ...hidden].map((id) => {
          const at = shown.indexOf(id)
          const name = gridColumns.find((column) => column.id === id)?.label() ?? id
          return (
            <li
              key={id}
              draggable={at >= 0}
              data-dragged={id === dragged || undefined}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', name)
                setDragged(id)
                beforeDrag.current = wanted
              }}
              onDragOver={(event) => at >= 0 && handleDragOver(event, at)}
              onDrop={(event) => event.preventDefault()}
              onDragEnd={handleDragEnd}
            >
              <IconGripVertical size={14} className={style.grip} />
              <Checkbox
                label={name}
                checked={at >= 0}
                disabled={shown.length === 1 && at === 0}
                onChange={(event) =>
                  choose(event.currentTarget.checked ? [...shown, id] : shown.filter((one) => one !== id))
                }
              />
              {at >= 0 && (
                <span>
                  <ActionIcon
                    size={24}
                    aria-label={t('grid.moveUp', { column: name })}
                    aria-disabled={at === 0}
                    data-disabled={at === 0 || undefined}
                    onClick={() => at > 0 && choose(moved(id, at - 1))}
                  >
                    <IconArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    aria-label={t('grid.moveDown', { column: name })}
                    aria-disabled={at === shown.length - 1}
                    data-disabled={at === shown.length - 1 || undefined}
                    onClick={() => at < shown.length - 1 && choose(moved(id, at + 1))}
                  >
                    <IconArrowDown size={14} />
                  </ActionIcon>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <Button variant="default" onClick={() => choose(standardColumns)}>
        {t('grid.standardColumns')}
      </Button>
    </Dialog>
  )
}
