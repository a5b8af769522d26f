import { ForgotPasswordForm } from '../features/sign-in/forgot-password-form.tsx'

export function ForgotPasswordScreen() {
  return <ForgotPasswordForm />
}
