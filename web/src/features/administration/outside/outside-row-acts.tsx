import { t } from '../../../labels/label.ts'
import { type AskedAct, canDo, type OutsideAccess } from '../../../queries/outside-access.ts'
import { IconCalendar, IconX } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'
import { accessHolderText } from './outside-words.ts'

interface Handlers {
  onAct: (kind: AskedAct, access: OutsideAccess) => void
}

/** The buttons of an access. */
export function outsideRowActs({ onAct }: Handlers) {
  return (access: OutsideAccess, tabIndex: 0 | -1) => {
    const name = accessHolderText(access)
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('outside.extendOne', { name })}
          icon={IconCalendar}
          isOff={!canDo({ kind: 'extend' }, access)}
          onAct={() => onAct('extend', access)}
        />
        <RowAct
          tabIndex={tabIndex}
          label={t('outside.endOne', { name })}
          icon={IconX}
          isOff={!canDo({ kind: 'end' }, access)}
          onAct={() => onAct('end', access)}
        />
      </>
    )
  }
}
