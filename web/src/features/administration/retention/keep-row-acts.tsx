import { t } from '../../../labels/label.ts'
import type { KeepAct } from '../../../queries/retention.ts'
import { IconCalendar, IconLock, IconX } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'
import { patientText } from './retention-cells.tsx'

export const keepIcons = { hold: IconLock, release: IconX, date: IconCalendar } as const

interface Handlers<Row> {
  actsOn: (row: Row) => readonly KeepAct[]
  onAct: (act: KeepAct, row: Row) => void
}

/** The buttons of a row that stands for an exam or a patient. */
export function keepRowActs<Row extends { patient_name: string; patientid: string }>({ actsOn, onAct }: Handlers<Row>) {
  return (row: Row, tabIndex: 0 | -1) =>
    actsOn(row).map((act) => (
      <RowAct
        key={act}
        tabIndex={tabIndex}
        label={t(`retention.actOn.${act}`, { name: patientText(row) })}
        icon={keepIcons[act]}
        onAct={() => onAct(act, row)}
      />
    ))
}
