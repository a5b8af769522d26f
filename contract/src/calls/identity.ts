import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/*
 * Sign-in by OpenID Connect: the authorisation code flow with PKCE, with one provider for each account. The browser is
 * sent to the provider by identity/begin and comes back to the page /sign-in/return, which hands code and state to
 * identity/finish.
 */

/** Page of the web to which providers send the browser back. */
export const signInReturnPath = '/sign-in/return'

/** Limits of a provider's fields. */
export const providerLimits = { text: 200, secret: 2000, issuer: 500, domains: 50, rules: 200 } as const

/** A value of the groups claim, and the role in the account or the membership in a group that the value gives. */
const signInRule = z.object({
  value: z.string(),
  /** In the account without a group; in a group empty for the group's own default. */
  role_id: z.optional(z.string()),
  group_id: z.optional(z.string()),
})
export type SignInRule = z.infer<typeof signInRule>

const providerObject = z.object({
  uuid: z.string(),
  is_on: flagOut,
  /** Words on the button of the sign-in screen. */
  button: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  scopes: z.string(),
  email_claim: z.string(),
  first_claim: z.string(),
  last_claim: z.string(),
  groups_claim: z.string(),
  /** Domains of e-mail addresses that the provider vouches for; with any, no other address is taken. */
  domains: z.array(z.string()),
  rules: z.array(signInRule),
  /** Role of people to whom no rule gives one; empty where such people are refused. */
  unmapped_role_id: z.string(),
  creates_people: flagOut,
  sso_only: flagOut,
  /** 1: two factors at the provider (`amr` with mfa, or one of `acr_values`) count as two here. */
  trusts_second_factor: flagOut,
  acr_values: z.string(),
  row_version: z.number(),
})
export type IdentityProvider = z.infer<typeof providerObject>

const ofAccount = { kind: 'account', by: ['account_id'], may: 'administerSignIn' } as const

export const identityProviderGet = defineCall({
  path: 'identity/provider/get',
  ours: true,
  reads: true,
  summary: 'Reads the provider of identities of an account; the client secret is never told again.',
  on: ofAccount,
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    provider: z.nullable(providerObject),
    /** Addresses to enter at the provider: where the browser comes back to, and where it goes after signing out. */
    redirect_address: z.string(),
    logout_address: z.string(),
  }),
  errors: [],
})

export const identityProviderSet = defineCall({
  path: 'identity/provider/set',
  ours: true,
  postOnly: true,
  summary:
    'Makes or changes the provider of identities of an account. The caller holds all that anybody holds in the account, and has lately given a proof. SSO-only can be switched on by somebody who can sign in by the provider.',
  on: ofAccount,
  input: z.object({
    account_id: wire.id(),
    is_on: z.optional(wire.flag()),
    button: z.optional(wire.text()),
    issuer: z.optional(wire.text()),
    client_id: z.optional(wire.text()),
    client_secret: z.optional(wire.text()),
    scopes: z.optional(wire.text()),
    email_claim: z.optional(wire.text()),
    first_claim: z.optional(wire.clearableText()),
    last_claim: z.optional(wire.clearableText()),
    groups_claim: z.optional(wire.clearableText()),
    domains: z.optional(wire.textList()),
    rules: z.optional(wire.json(z.array(signInRule).check(z.maxLength(providerLimits.rules)))),
    unmapped_role_id: z.optional(wire.idOrNone()),
    creates_people: z.optional(wire.flag()),
    sso_only: z.optional(wire.flag()),
    trusts_second_factor: z.optional(wire.flag()),
    acr_values: z.optional(wire.clearableText()),
    row_version: z.optional(wire.integer()),
  }),
  output: wire.statusOnly,
  errors: [
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'INVALID_URL',
    'ROLE_NOT_FOUND',
    'ROLE_NAMESPACE_MISMATCH',
    'CAN_NOT_PROMOTE',
    'PROOF_REQUIRED',
    'SSO_REFUSED',
    'STALE',
  ],
})

export const identityProviderDelete = defineCall({
  path: 'identity/provider/delete',
  ours: true,
  postOnly: true,
  summary: 'Takes the provider of identities off an account; its people sign in by password again.',
  on: ofAccount,
  input: z.object({ account_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['PROOF_REQUIRED'],
})

const testSteps = ['discovery', 'keys', 'client'] as const

export const identityProviderTest = defineCall({
  path: 'identity/provider/test',
  ours: true,
  postOnly: true,
  summary:
    'Asks the provider for its discovery document and its keys, and shows it the client secret with a code that it never gave. Nobody is signed in.',
  on: ofAccount,
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    steps: z.array(
      z.object({
        step: z.enum(testSteps),
        /** Code of the failure, empty when all is well; a step behind a failure is not taken. */
        fault: z.string(),
      }),
    ),
  }),
  errors: [],
})
export type ProviderTestStep = (typeof testSteps)[number]

export const identityOffer = defineCall({
  path: 'identity/offer',
  ours: true,
  reads: true,
  summary:
    'Names the provider to sign in by: that of the account of this host name (vanity), the one that is asked for, or the only one of an installation with a single account; and gives name, logo and colour of the account of this host name, or of the only one.',
  on: { kind: 'anyone' },
  input: z.object({ vanity: z.optional(wire.clearableText()), provider: z.optional(wire.clearableText()) }),
  output: z.object({
    provider: z.nullable(z.object({ uuid: z.string(), button: z.string(), account: z.string(), sso_only: flagOut })),
    /** Where the browser comes back to from a provider: a sign-in begins there, and at no other name of the host. */
    begin_at: z.string(),
    /** Empty where no account has this host name and there are several. */
    brand_name: z.string(),
    /** A picture as a data URL; empty where no account with a logo has this host name. */
    brand_logo: z.string(),
    /** `#rrggbb`; empty where no account with a colour has this host name. */
    brand_color: z.string(),
  }),
  errors: [],
})

export const identityBegin = defineCall({
  path: 'identity/begin',
  ours: true,
  postOnly: true,
  summary: 'Begins a sign-in by a provider: gives the address at which the browser goes on.',
  on: { kind: 'anyone' },
  // public, and no row of anybody's: the sign-in screen shows it
  input: z.object({ provider: wire.text() }),
  output: z.object({ address: z.string() }),
  errors: ['SSO_REFUSED'],
})

/** Reasons to go to the provider beside signing in. */
const linkPurposes = ['link', 'prove'] as const

export const identityLinkBegin = defineCall({
  path: 'identity/link/begin',
  ours: true,
  postOnly: true,
  summary:
    'Begins the connection of the caller with an identity at the provider of one of the caller’s accounts (`link`), or a proof there of who sits at the session (`prove`).',
  on: { kind: 'caller' },
  input: z.object({ provider: wire.id(), purpose: wire.oneOf(linkPurposes, 'INVALID_TYPE') }),
  output: z.object({ address: z.string() }),
  errors: ['INVALID_TYPE', 'PROOF_REQUIRED', 'SSO_REFUSED'],
})

export const identityFinish = defineCall({
  path: 'identity/finish',
  ours: true,
  postOnly: true,
  summary:
    'Takes what the provider sent the browser back with: opens a session as session/login does, connects an identity, or notes a proof.',
  on: { kind: 'anyone' },
  input: z.object({
    sid: z.optional(wire.clearableText()),
    /** The query of the address that the browser came back to. */
    state: wire.text(),
    code: z.optional(wire.clearableText()),
    iss: z.optional(wire.clearableText()),
    error: z.optional(wire.clearableText()),
  }),
  output: z.object({
    purpose: z.enum(['sign-in', ...linkPurposes]),
    // of a session that was opened, as of session/login with short=1
    sid: z.optional(z.string()),
    session_id: z.optional(z.string()),
    uuid: z.optional(z.string()),
    expires_in: z.optional(z.number()),
    pin_required: z.optional(z.number()),
    pin_via: z.optional(z.string()),
    /** Of a session that was opened: the account whose provider it is, in which the person begins. */
    account_id: z.optional(z.string()),
  }),
  errors: ['SSO_REFUSED'],
})

export const identityList = defineCall({
  path: 'identity/list',
  ours: true,
  reads: true,
  summary:
    'Lists the providers of the caller’s accounts, each with the identity there that the caller is connected with.',
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({
    identities: z.array(
      z.object({
        provider: z.string(),
        button: z.string(),
        account: z.string(),
        is_linked: flagOut,
        /** E-mail address there; empty without a connection. */
        email: z.string(),
        since: z.string(),
        last_used: z.string(),
        /** 1 where the person’s password opens nothing. */
        sso_only: flagOut,
      }),
    ),
  }),
  errors: [],
})
export type OwnIdentity = z.infer<typeof identityList.output>['identities'][number]

export const identityEnd = defineCall({
  path: 'identity/end',
  ours: true,
  postOnly: true,
  summary: 'Ends the connection of the caller with an identity at a provider.',
  on: { kind: 'caller' },
  input: z.object({ provider: wire.id() }),
  output: wire.statusOnly,
  errors: ['PROOF_REQUIRED', 'SSO_REFUSED'],
})
