import { type SignInFault, signInFaults } from '@hilum/contract/sign-in-faults'

/** Why a sign-in by a provider of identities came to nothing, in words. */
export function signInFaultLabel(
  fault: string | readonly string[] | undefined,
): `provider.fault.${SignInFault}` | 'login.failed' {
  const known = signInFaults.find((one) => one === [fault].flat()[0])
  return known ? `provider.fault.${known}` : 'login.failed'
}
