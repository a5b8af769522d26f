import { isGoodPassword, isGoodPasswordStart } from '@hilum/contract/password-rule'
import { t } from '../../labels/label.ts'
import { PasswordField } from './password-field.tsx'

/** A new password as it is typed, twice. */
export interface NewPassword {
  password: string
  confirm: string
}

export const noNewPassword: NewPassword = { password: '', confirm: '' }

interface NewPasswordFieldsProps {
  value: NewPassword
  /** Faults are shown once the person has tried to send the form. */
  isAsked: boolean
  onChange: (value: NewPassword) => void
}

/** A new password and its repetition, with the rule and the faults beside them. */
export function NewPasswordFields({ value, isAsked, onChange }: NewPasswordFieldsProps) {
  const faults = findNewPasswordFaults(value)
  return (
    <>
      <PasswordField
        name="new-password"
        label={t('reset.password')}
        description={t('reset.rule')}
        value={value.password}
        error={isAsked && faults?.password}
        autoComplete="new-password"
        onChange={(password) => onChange({ ...value, password })}
        autoFocus
      />
      <PasswordField
        name="confirm-password"
        label={t('reset.confirm')}
        value={value.confirm}
        error={isAsked && faults?.confirm}
        autoComplete="new-password"
        onChange={(confirm) => onChange({ ...value, confirm })}
      />
    </>
  )
}

/** Undefined where the new password can be sent. */
export function findNewPasswordFaults({
  password,
  confirm,
}: NewPassword): { password?: string | undefined; confirm?: string | undefined } | undefined {
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
