/** Reasons for which sessions and keys end by a change of how people sign in, as the audit has them under `because`. */
export const endedBecause = ['SSO_ONLY', 'SWITCHED_OFF', 'OTHER_ISSUER', 'DELETED', 'NOT_MAPPED', 'TWO_FACTOR'] as const
export type EndedBecause = (typeof endedBecause)[number]
