import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { saveSetting } from '../../../session/put-setting.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconArrowDown, IconArrowUp } from '../../../ui/icons.ts'
import { columnsKey, gridColumns, standardColumns } from './columns.ts'
import style from './worklist.module.css'

interface ColumnChooserProps {
  /** Ids of the shown columns, in their order. */
  chosen: readonly string[]
  onClose: () => void
}

/** Chooses the columns and their order, a setting of the user. */
export function ColumnChooser({ chosen, onClose }: ColumnChooserProps) {
  // Held here, so that a box turns with the click and not with the answer.
  const [wanted, setWanted] = useState<readonly string[]>()
  const { mutate, isError } = useMutation({
    mutationFn: (ids: readonly string[]) => saveSetting(columnsKey, JSON.stringify(ids)),
    onSettled: (_reply, _failure, settled) => setWanted((now) => (now === settled ? undefined : now)),
  })
  const shown = wanted ?? chosen
  const choose = (ids: readonly string[]) => {
    setWanted(ids)
    mutate(ids)
  }
  const hidden = gridColumns.map(({ id }) => id).filter((id) => !shown.includes(id))
  const move = (id: string, by: number) => {
    const rest = shown.filter((one) => one !== id)
    choose(rest.toSpliced(shown.indexOf(id) + by, 0, id))
  }
  return (
    <Dialog title={t('grid.columns')} closeLabel={t('button.close')} onClose={onClose}>
      {isError && <Banner tone="failed">{t('grid.columnsFailed')}</Banner>}
      <ul className={style.chooser}>
        {[...shown, ...hidden].map((id) => {
          const at = shown.indexOf(id)
          const name = gridColumns.find((column) => column.id === id)?.label() ?? id
          return (
            <li key={id}>
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
                    onClick={() => at > 0 && move(id, -1)}
                  >
                    <IconArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    aria-label={t('grid.moveDown', { column: name })}
                    aria-disabled={at === shown.length - 1}
                    data-disabled={at === shown.length - 1 || undefined}
                    onClick={() => at < shown.length - 1 && move(id, 1)}
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
