import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** Texts of an account that its people agree to. Their MD5 stands in `user/set` and in the account's settings. */
export const agreedTextKinds = ['terms', 'privacy'] as const
export type AgreedTextKind = (typeof agreedTextKinds)[number]
/** Most characters of a text. */
export const maxAgreedText = 50_000

const ofAccount = { kind: 'account', by: ['account_id'] } as const

export const accountTexts = defineCall({
  path: 'account/texts',
  reads: true,
  ours: true,
  summary:
    'Gives the texts that people of an account agree to, as they are in force. Whoever agrees sends the MD5 as `terms_md5` or `privacy_md5` to user/set.',
  on: { ...ofAccount, may: 'enterPlace' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    texts: z.array(
      z.object({
        kind: z.enum(agreedTextKinds),
        text: z.string(),
        /** Of the text in UTF-8, in hexadecimal. */
        md5: z.string(),
        since: z.string(),
      }),
    ),
  }),
  errors: [],
})

export const accountTextsSet = defineCall({
  path: 'account/texts/set',
  ours: true,
  summary:
    'Puts a text in force that people of an account agree to; everybody is asked again. An empty text asks nobody any more. Earlier texts are kept. With seen, the md5 of the text that was read (empty for none), a change by somebody else meanwhile answers STALE.',
  on: { ...ofAccount, may: 'administerAccount' },
  input: z.object({
    account_id: wire.id(),
    kind: wire.oneOf(agreedTextKinds, 'INVALID_TYPE'),
    text: wire.clearableText(),
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_TYPE', 'INVALID_FIELD', 'INVALID_JSON', 'STALE'],
})

export const accountTextsVersions = defineCall({
  path: 'account/texts/versions',
  reads: true,
  ours: true,
  summary:
    'Gives every text that people of an account were asked to agree to, newest first, and how many agreed to which last.',
  on: { ...ofAccount, may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    versions: z.array(
      z.object({
        kind: z.enum(agreedTextKinds),
        /** Empty where asking ended. */
        text: z.string(),
        md5: z.string(),
        since: z.string(),
        /** Name of who put the text in force. */
        by: z.string(),
        /** People who can sign in and whose last agreement is to this text. */
        agreed: z.number(),
      }),
    ),
    /** People who can sign in. */
    people: z.number(),
  }),
  errors: [],
})
