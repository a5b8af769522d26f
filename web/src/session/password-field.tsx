import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput } from '@mantine/core'
import { t } from '../labels/label.ts'

interface PasswordFieldProps {
  label: string
  /** The rule that a new one must meet. */
  description?: string
  name?: string
  value: string
  error: string | false | undefined
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  /** Where a dialog begins. */
  'data-autofocus'?: boolean
  onBlur?: () => void
  onChange: (password: string) => void
}

/** A password, which can be shown while it is typed. */
export function PasswordField({ onChange, ...field }: PasswordFieldProps) {
  return (
    <PasswordInput
      size="sm"
      {...field}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
    />
  )
}
