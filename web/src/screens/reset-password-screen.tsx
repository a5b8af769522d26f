import { useParams } from '@tanstack/react-router'
import { ResetPasswordForm } from '../features/sign-in/reset-password-form.tsx'

export function ResetPasswordScreen() {
  const { token } = useParams({ from: '/reset-password/$token' })
  return <ResetPasswordForm token={token} />
}
