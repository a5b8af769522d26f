import { LoginForm } from '../features/sign-in/login-form.tsx'

export function LoginScreen() {
  return <LoginForm />
}
