/** Why an organisation’s change of how its people sign in ended sessions and keys, as the audit has it under `because`. */
export const endedBecause = ['SSO_ONLY', 'SWITCHED_OFF', 'OTHER_ISSUER', 'DELETED', 'NOT_MAPPED'] as const
export type EndedBecause = (typeof endedBecause)[number]
