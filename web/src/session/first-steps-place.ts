import type { Session } from './session-store.ts'
import { may } from './use-may.ts'

/** Where an administrator of an organisation that is new begins; undefined for everybody else. */
export function firstStepsPlace({ account, permissions }: Session): '/administration' | undefined {
  const isOpen = account.settings['first_steps'] === 'open'
  return isOpen && may('administerAccount', permissions) ? '/administration' : undefined
}
