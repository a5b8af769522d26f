import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'

/** Finds organisations by name, in the lists of those that are there and of those that were closed. */
export function OrganisationFinder({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      size="xs"
      aria-label={t('system.find')}
      placeholder={t('system.find')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
