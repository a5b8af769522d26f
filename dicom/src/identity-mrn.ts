import { compareIdentities, type Identity, type IdentityReason } from './identity.ts'

/** Two people under one MRN who are not plainly one: `likely` wants a person to look, `different` cannot be one. */
export interface MrnClash {
  verdict: 'likely' | 'different'
  reasons: IdentityReason[]
}

/** Stands for the issuer that two numbers of unknown issuers may have in common. */
const sameUnknownIssuer = '?'

/**
 * Compares two people who hold the same MRN. An unknown issuer may be the other's, so a clash is told there too; two
 * known issuers that differ never clash.
 * @returns undefined without a common MRN, and where both are the same person
 */
export function findMrnClash(a: Identity, b: Identity): MrnClash | undefined {
  const { reasons } = compareIdentities(a, b)
  if (!reasons.includes('mrn-same') && !reasons.includes('mrn-same-issuer-unknown')) return undefined
  const issuer = a.patientIdIssuer.trim() || b.patientIdIssuer.trim() || sameUnknownIssuer
  const { verdict } = compareIdentities({ ...a, patientIdIssuer: issuer }, { ...b, patientIdIssuer: issuer })
  return verdict === 'same' ? undefined : { verdict, reasons }
}
