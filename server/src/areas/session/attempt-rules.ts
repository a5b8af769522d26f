import { lockoutAfter, lockoutMinutes } from '@hilum/contract/limits'
import type { AttemptRule } from './attempt.sql.ts'

/** Wrong passwords of one user, or of one name that nobody has: locked for the full time after the last allowed try. */
export const perLogin: AttemptRule = { most: lockoutAfter, minutes: lockoutMinutes, fromLast: true }
/** Failures from one address. A hospital may sit behind one, so it takes many. */
export const perAddress: AttemptRule = { most: 100, minutes: lockoutMinutes, fromLast: false }
/** Reset mails to one person. */
export const perLostEmail: AttemptRule = { most: 3, minutes: lockoutMinutes, fromLast: false }
/** Reset mails asked for, or links tried, from one address. */
export const perLostAddress: AttemptRule = { most: 30, minutes: lockoutMinutes, fromLast: false }
/** Share codes that open nothing, asked for from one address. */
export const perShareAddress: AttemptRule = { most: 100, minutes: lockoutMinutes, fromLast: false }
