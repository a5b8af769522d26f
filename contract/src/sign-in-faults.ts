/** Reasons for which a sign-in by a provider of identities comes to nothing, as `error_subtype` of SSO_REFUSED and in the audit. */
export const signInFaults = [
  // the provider
  'UNREACHABLE',
  'TIMEOUT',
  'PRIVATE_ADDRESS',
  'REDIRECT',
  'TOO_LARGE',
  'BAD_ANSWER',
  'WRONG_ISSUER',
  'NO_CODE_FLOW',
  'INSECURE_ADDRESS',
  'NO_ALGORITHM',
  'WRONG_SECRET',
  // the way there and back
  'SWITCHED_OFF',
  'TOO_OFTEN',
  'FLOW_OVER',
  'OTHER_BROWSER',
  'OTHER_SESSION',
  'CANCELLED',
  'PROVIDER_ERROR',
  'CODE_REFUSED',
  'BAD_TOKEN',
  'WRONG_CLOCK',
  // the person
  'NO_EMAIL',
  'EMAIL_NOT_VERIFIED',
  'EMAIL_DOMAIN',
  'EMAIL_CHANGED',
  'LINK_FIRST',
  'NOT_KNOWN',
  'NOT_MEMBER',
  'NOT_MAPPED',
  'LINKED_ELSEWHERE',
  'OTHER_PERSON',
  'DISABLED',
] as const
export type SignInFault = (typeof signInFaults)[number]
