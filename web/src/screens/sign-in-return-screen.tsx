import { ProviderReturn } from '../features/sign-in/provider-return.tsx'

export function SignInReturnScreen() {
  return <ProviderReturn />
}
