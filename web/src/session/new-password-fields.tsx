import { isGoodPassword, isGoodPasswordStart } from '@hilum/contract/password-rule'
import { t } from '../labels/label.ts'
import { PasswordField } from './password-field.tsx'

/** A new password as it is typed, twice. */
interface NewPassword {
  password: string
  confirm: string
}

export const noNewPassword: NewPassword = { password: '', confirm: '' }

interface NewPasswordFieldsProps {
  value: NewPassword
  /** Shown beside the fields; each form decides when. */
  faults: NewPasswordFaults | undefined
  autoFocus?: boolean
  onChange: (value: NewPassword) => void
}

interface NewPasswordFaults {
  password?: string | undefined
  confirm?: string | undefined
}

/** A new password and its repetition, with the rule and the faults beside them. */
export function NewPasswordFields({ value, faults, autoFocus = false, onChange }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        name="new-password"
        label={t('reset.password')}
        description={t('reset.rule')}
        value={value.password}
        error={faults?.password}
        autoComplete="new-password"
        onChange={(password) => onChange({ ...value, password })}
        autoFocus={autoFocus}
      />
      <PasswordField
        name="confirm-password"
        label={t('reset.confirm')}
        value={value.confirm}
        error={faults?.confirm}
        autoComplete="new-password"
        onChange={(confirm) => onChange({ ...value, confirm })}
      />
    </>
  )
}

/** Undefined where the new password can be sent. */
export function findNewPasswordFaults({ password, confirm }: NewPassword): NewPasswordFaults | undefined {
  const faults = { password: findPasswordFault(password), confirm: findConfirmFault(password, confirm) }
  return faults.password || faults.confirm ? faults : undefined
}

function findPasswordFault(password: string): string | undefined {
  if (!password) return t('reset.required')
  if (isGoodPasswordStart(password)) return undefined
  return isGoodPassword(password) ? t('reset.firstEight') : t('reset.hint')
}

function findConfirmFault(password: string, confirm: string): string | undefined {
  if (!confirm) return t('reset.confirmRequired')
  return confirm === password ? undefined : t('reset.noMatch')
}
