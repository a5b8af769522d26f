import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

const issuerObject = z.object({
  issuer: z.string(),
  study_count: z.number(),
  /** When the newest of them came. */
  newest: z.string(),
  /** AE titles of senders, at most three. */
  ae_titles: z.array(z.string()),
  /** The organisation said that it is another one's (setting_outside_issuers). */
  is_outside: flagOut,
})
export type FoundIssuer = z.infer<typeof issuerObject>

export const accountIssuers = defineCall({
  path: 'account/issuers',
  reads: true,
  summary:
    'Tells administrators which assigning authorities, other than the own of the account, the newest exams of its places name for their MRNs, the commonest first, and whether such exams are held back, there being a destination that does not take them (push_foreign). setting_other_issuers makes a name the own one, setting_outside_issuers that of others.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ issuers: z.array(issuerObject), holds_back: flagOut }),
  errors: [],
})
