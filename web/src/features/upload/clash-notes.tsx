import type { MrnHolder } from '@hilum/contract/entities/mrn-holder'
import { Checkbox } from '@mantine/core'
import { hasLabel, t } from '../../labels/label.ts'
import { IconAlertTriangleFilled } from '../../ui/icons.ts'
import { answerClash } from './confirm-actions.ts'
import { type Hindrances, isRefused, isSettled } from './confirm-rules.ts'
import tables from './exam-tables.module.css'
import type { HeldClash } from './held-mrns.ts'
import type { MrnRow, RowClash } from './mrn-rules.ts'
import { recordText, patientWords } from './record-text.ts'
import { patientName } from './upload-format.ts'

/** People at the destination who are named under a row; numbers such as "0" stand for dozens. */
const shownHolders = 4

interface Props {
  row: MrnRow
  mrn: string
  hindrances: Hindrances
  answers: ReadonlySet<string>
  hasTried: boolean
}

/** Below a patient's row: everybody else with the same MRN, with both names, and the answer where one is wanted. */
export function ClashNotes({ row, mrn, hindrances, answers, hasTried }: Props) {
  const clashes = clashesOf(row, hindrances)
  if (clashes.length === 0) return null
  return (
    <tr className={tables.clashes}>
      <td colSpan={6}>
        <ul>
          {clashes.map((clash) => (
            <li key={clash.id} data-refused={isRefused(clash)} data-open={isSettled(clash, answers) ? undefined : true}>
              <IconAlertTriangleFilled size={14} />
              <div>
                {clashSentences(clash, row, mrn).map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
                {!isRefused(clash) && (
                  <Checkbox
                    label={answerText(clash, row, mrn)}
                    checked={answers.has(clash.id)}
                    error={hasTried && !isSettled(clash, answers) ? t('upload.clash.answerMissing') : undefined}
                    onChange={(event) => answerClash(clash.id, event.currentTarget.checked)}
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  )
}

/** Short, beside the field: who else has this MRN. */
export function clashText(row: MrnRow, hindrances: Hindrances): string | undefined {
  const names = clashesOf(row, hindrances).flatMap((clash) =>
    'rows' in clash
      ? [patientName(otherRow(clash, row).name)]
      : [
          ...clash.holders.map((one) => patientName(one.patient_name)),
          ...(clash.isElsewhere ? [t('upload.clash.somebody')] : []),
        ],
  )
  const [first, ...others] = new Set(names)
  if (first === undefined) return undefined
  return others.length === 0
    ? t('upload.clash.field', { name: first })
    : t('upload.clash.fieldMore', { name: first, count: others.length })
}

function clashesOf({ key }: MrnRow, { rowClashes, heldClashes }: Hindrances): (RowClash | HeldClash)[] {
  return [
    ...rowClashes.filter((clash) => clash.rows.some((row) => row.key === key)),
    ...heldClashes.filter((clash) => clash.row.key === key),
  ]
}

const otherRow = ({ rows }: RowClash, row: MrnRow) => (rows[0].key === row.key ? rows[1] : rows[0])

/** A clash in words, for one of its patients. */
export function clashSentences(clash: RowClash | HeldClash, row: MrnRow, mrn: string): string[] {
  const name = patientWords(row.name, row.birthDate, row.sex)
  if ('rows' in clash) {
    const other = otherRow(clash, row)
    const reasons = reasonsText(clash.reasons)
    const words = { name, other: patientWords(other.name, other.birthDate, other.sex), mrn, reasons }
    return [t(isRefused(clash) ? 'upload.clash.rowsDifferent' : 'upload.clash.rowsLikely', words)]
  }
  const shown = clash.holders.slice(0, shownHolders)
  const others = clash.holders.length - shown.length + clash.more
  const held = shown.map((one) =>
    t('upload.clash.held', { name, other: holderText(one), mrn, reasons: reasonsText(one.reasons) }),
  )
  const elsewhere = clash.isElsewhere ? [t('upload.clash.elsewhere', { mrn })] : []
  const more = others > 0 ? [t('upload.clash.heldMore', { count: others, mrn })] : []
  const wayOut = clash.isRefused ? [t('upload.clash.heldDifferent')] : []
  const records = clash.records.map((record) => recordText(record, row))
  return [...held, ...more, ...elsewhere, ...wayOut, ...records]
}

function answerText(clash: RowClash | HeldClash, row: MrnRow, mrn: string): string {
  const name = patientName(row.name)
  if ('rows' in clash) return t('upload.clash.areOne', { name, other: patientName(otherRow(clash, row).name) })
  const [holder, ...others] = clash.holders
  if (!holder && !clash.isElsewhere) return t('upload.clash.goOnRecord', { name })
  const isOneLikely =
    holder && others.length === 0 && clash.more === 0 && !clash.isElsewhere && holder.verdict === 'likely'
  return isOneLikely
    ? t('upload.clash.areOne', { name, other: patientName(holder.patient_name) })
    : t('upload.clash.goOn', { name, mrn })
}

const holderText = (holder: MrnHolder) =>
  patientWords(holder.patient_name, holder.patient_birth_date, holder.patient_sex)

/** Reasons against one person; the MRN is the question itself. */
function reasonsText(reasons: readonly string[]): string {
  const words = reasons
    .filter((reason) => !reason.startsWith('mrn-') && !reason.endsWith('-same'))
    .flatMap((reason) => {
      const key = `identity.${reason}`
      return hasLabel(key) ? [t(key as 'identity.name-different')] : [] // all of them are without slots
    })
  return words.map((word) => word.slice(0, 1).toLocaleLowerCase() + word.slice(1)).join(', ')
}
