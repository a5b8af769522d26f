import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { type AskedAct, canDo, type OutsideAccess, type OutsideAct } from '../../../queries/outside-access.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import users from '../users/users.module.css'
import style from './outside.module.css'
import { accessLine } from './outside-words.ts'

const days = ['1', '7', '30', '90'] as const
const minutesOfDay = 24 * 60
/** Lines that are named one by one. */
const namedLines = 20

interface OutsideDialogProps {
  kind: AskedAct
  chosen: readonly OutsideAccess[]
  isBusy: boolean
  onAct: (act: OutsideAct) => void
  onClose: () => void
  /** Keys of the accesses that the grid shows: a selection outlives filter and page. */
  shown: ReadonlySet<string>
}

/** Asks before accesses end or are extended, and names each of them. */
export function OutsideDialog({ kind, chosen, shown, isBusy, onAct, onClose }: OutsideDialogProps) {
  const [length, setLength] = useState<string>('7')
  const isSeen = ({ uuid }: { uuid: string }) => shown.has(uuid)
  const possible = chosen.filter((one) => canDo({ kind }, one))
  const able = [...possible.filter((one) => !isSeen(one)), ...possible.filter(isSeen)]
  const count = able.length
  const withCopy = able.filter((one) => one.has_copy === 1).length
  const leftOut = chosen.length - count
  if (count === 0) {
    return (
      <Dialog title={t(`outside.${kind}`)} closeLabel={t('button.close')} onClose={onClose}>
        <p className={users.question}>{t(kind === 'end' ? 'outside.noneToEnd' : 'outside.noneToExtend')}</p>
        <div className={users.buttons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('button.close')}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={t(kind === 'end' ? 'outside.askEnd' : 'outside.askExtend', { count })}
      closeLabel={t('button.close')}
      onClose={onClose}
    >
      <ul className={style.lines}>
        {able.slice(0, namedLines).map((one) => (
          <li key={one.uuid}>
            <bdi>{accessLine(one)}</bdi>
            {!isSeen(one) && <span className={users.mark}>{t('grid.outOfSight')}</span>}
          </li>
        ))}
        {count > namedLines && <li>{t('outside.andMore', { count: count - namedLines })}</li>}
      </ul>
      {leftOut > 0 && <p className={users.hint}>{t('outside.leftOut', { count: leftOut })}</p>}
      {kind === 'end' ? (
        <>
          <p className={users.question}>{t('outside.endText')}</p>
          {withCopy > 0 && <p className={users.question}>{t('outside.copyStays', { count: withCopy })}</p>}
        </>
      ) : (
        <NativeSelect
          className={style.days}
          label={t('outside.extendFor')}
          value={length}
          data={days.map((value) => ({ value, label: t(`outside.days.${value}`) }))}
          onChange={(event) => setLength(event.currentTarget.value)}
        />
      )}
      <div className={users.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button
          {...(kind === 'end' ? { color: 'red' } : {})}
          loading={isBusy}
          data-autofocus
          onClick={() => onAct(kind === 'end' ? { kind } : { kind, minutes: Number(length) * minutesOfDay })}
        >
          {t(`outside.${kind}`)}
        </Button>
      </div>
    </Dialog>
  )
}
