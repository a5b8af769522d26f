import { accountFirstSteps } from '@hilum/contract/calls/account-first-steps'
import type { Session } from './session-store.ts'
import { mayCall } from './use-may.ts'

/** Where an administrator of an organisation that is new begins; undefined for everybody else. */
export function firstStepsPlace({ account, permissions }: Session): '/administration' | undefined {
  const isOpen = account.settings['first_steps'] === 'open'
  return isOpen && mayCall(accountFirstSteps, permissions) ? '/administration' : undefined
}
