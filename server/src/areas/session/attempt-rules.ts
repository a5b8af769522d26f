import { lockoutAfter, lockoutMinutes, passwordResetMinutes, reportsInHour } from '@hilum/contract/limits'
import type { AttemptRule } from './attempt.sql.ts'

/** Wrong passwords for one name, or one person, from one address: locked for the full time after the last allowed try. */
export const perLogin: AttemptRule = { most: lockoutAfter, minutes: lockoutMinutes, fromLast: true }
/** Codes that one waiting session may try (`api-facts` §3, session/pin). */
export const perPinSession: AttemptRule = { most: 3, minutes: 15, fromLast: false }
/** Wrong codes of one person from everywhere: who tries them knows the password, and must not come to many. */
export const perPin: AttemptRule = { most: 20, minutes: 60, fromLast: false }
/** Failures from one address. A hospital may sit behind one, so it takes many; who has signed in from it before still may. */
export const perAddress: AttemptRule = { most: 100, minutes: lockoutMinutes, fromLast: false }
/** Failures for one name from everywhere: never a lock, which anybody could put on anybody, but a wait. */
export const perName: AttemptRule = { most: Infinity, minutes: lockoutMinutes, fromLast: true }
/** Reset mails to one person, whoever asks: enough lie in the mailbox then, so no more are sent and nobody is told. */
export const perLostPerson: AttemptRule = { most: 10, minutes: passwordResetMinutes, fromLast: false }
/** Reset mails to one person, asked for from one address. */
export const perLostEmail: AttemptRule = { most: 3, minutes: lockoutMinutes, fromLast: false }
/** Reset mails asked for, or links tried, from one address. */
export const perLostAddress: AttemptRule = { most: 30, minutes: lockoutMinutes, fromLast: false }
/** Share codes that open nothing, asked for from one address. */
export const perShareAddress: AttemptRule = { most: 100, minutes: lockoutMinutes, fromLast: false }
/** Pages of share codes opened from one address. */
export const perShareOpen: AttemptRule = { most: 100, minutes: lockoutMinutes, fromLast: false }

/** Addresses of links that open nothing, tried from one address. */
export const perLinkAddress: AttemptRule = { most: 100, minutes: lockoutMinutes, fromLast: false }

/** Share codes that one person asks for, given or taken: what is given tells as much about others as what is refused. */
export const perShareChange: AttemptRule = { most: 10, minutes: lockoutMinutes, fromLast: true }

/** Share codes that reach nobody, to which one person would send. */
export const perShareCode: AttemptRule = { most: 10, minutes: lockoutMinutes, fromLast: true }

/** Sign-ins by a provider that are begun, or come back, from one address; a hospital may sit behind one. */
export const perFlow: AttemptRule = { most: 300, minutes: lockoutMinutes, fromLast: false }

/** Calls of one webhook that people and programs ask for, besides those that events make. */
export const perWebhook: AttemptRule = { most: 120, minutes: 1, fromLast: false }

/** Reports that one person has made as files, by all of that person's keys. */
export const perReports: AttemptRule = { most: reportsInHour, minutes: 60, fromLast: false }

const firstWaitMs = 100
const longestWaitMs = 2000
/** Failures for a name after which each try waits. */
const waitsAfter = 10

/** How long a try for a name waits after so many failures within the time of `perName`; known names and unknown alike. */
export function waitOf(failures: number): number {
  if (failures < waitsAfter) return 0
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - waitsAfter))
}
