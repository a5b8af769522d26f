import { TextInput } from '../../fields/text-input.tsx'
import tables from './exam-tables.module.css'

interface Props {
  label: string
  value: string
  error: string | undefined
  isLabelShown?: boolean
  onType: (mrn: string) => void
}

/** An overlong MRN is refused, not cut: half of a pasted number would be another one. */
export function MrnField({ label, value, error, isLabelShown, onType }: Props) {
  return (
    <TextInput
      className={tables.mrn}
      aria-label={isLabelShown ? undefined : label}
      label={isLabelShown ? label : undefined}
      value={value}
      autoComplete="off"
      spellCheck={false}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  )
}
