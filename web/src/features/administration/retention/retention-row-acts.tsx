import { t } from '../../../labels/label.ts'
import type { RetentionAct } from '../../../queries/retention.ts'
import { IconCalendar, IconLock, IconX } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'
import { patientText } from './retention-cells.tsx'

export const retentionIcons = { hold: IconLock, release: IconX, date: IconCalendar } as const

interface Handlers<Row> {
  actsOn: (row: Row) => readonly RetentionAct[]
  onAct: (act: RetentionAct, row: Row) => void
}

/** The buttons of a row that stands for an exam or a patient. */
export function retentionRowActs<Row extends { patient_name: string; patientid: string }>({
  actsOn,
  onAct,
}: Handlers<Row>) {
  return (row: Row, tabIndex: 0 | -1) =>
    actsOn(row).map((act) => (
      <RowAct
        key={act}
        tabIndex={tabIndex}
        label={t(`retention.actOn.${act}`, { name: patientText(row) })}
        icon={retentionIcons[act]}
        onAct={() => onAct(act, row)}
      />
    ))
}
