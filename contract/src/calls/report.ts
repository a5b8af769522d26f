import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxReportLines, reportsInHour, reportsOfPerson } from '../limits.ts'
import * as wire from '../wire.ts'
import { studyListRules } from './study.ts'

/** A report lies ready for report/zip once the call answers. */
const made = z.object({ report_id: z.string() })
const bound = `REPORT_ERROR where it has more than ${maxReportLines} lines. LOCKOUT after ${reportsInHour} in an hour. report/zip hands out the latest ${reportsOfPerson} of a person.`

export const roleReportDetail = defineCall({
  path: 'role/report/detail',
  once: {},
  summary: `Makes a report of the roles of an account as CSV: each with its permissions, its access to the fields of studies, and the number of people who have it. ${bound}`,
  on: { kind: 'account', by: ['account_id'], may: 'seeRoles' },
  input: z.object({ account_id: wire.id() }),
  output: made,
  errors: ['LOCKOUT', 'REPORT_ERROR'],
})

export const accountUserReportLogin = defineCall({
  path: 'account/user/report/login',
  once: {},
  summary: `Makes a report as CSV of the sign-ins that an account has on record, those that failed among them, newest first: of all of its people, or of one (user_id). Sign-ins are on record in the first account of a person. ${bound}`,
  on: { kind: 'account', by: ['uuid'], may: 'administerUsers' },
  input: z.object({ uuid: wire.id(), user_id: z.optional(wire.id()) }),
  output: made,
  errors: ['LOCKOUT', 'REPORT_ERROR'],
})

export const studyReportDetail = defineCall({
  path: 'study/report/detail',
  once: {},
  summary: `Makes a report as CSV of the studies in the places of an account where the caller may report them, as study/list lists, filters and sorts them; limit takes the first so many. ${bound}`,
  on: { kind: 'account', by: ['account_id'], may: 'reportStudies' },
  list: { ...studyListRules, isReport: true },
  input: z.object({
    account_id: wire.id(),
    limit: z.optional(wire.integer()),
    /** A saved search that narrows the report, with the caller's own rights. */
    filter_id: z.optional(wire.naming(wire.text())),
  }),
  output: made,
  errors: ['LOCKOUT', 'REPORT_ERROR'],
})

export const reportStatus = defineCall({
  path: 'report/status',
  reads: true,
  summary: 'Tells how much of a report of the caller is made: 100 of 100, since it is made before its number is told.',
  on: { kind: 'caller' },
  input: z.object({ report_id: wire.id() }),
  output: z.object({ percent: z.number() }),
  errors: [],
})
