import { type CertificateLevel, certificateState } from '../../certificate-term.ts'
import type { CertifiedDestination } from './entered-certificate.sql.ts'

interface EndingCertificate {
  destination: Pick<CertifiedDestination, 'uuid' | 'name'>
  level: Exclude<CertificateLevel, 'ample'>
  endsAt: Date
}

/**
 * Destinations whose entered certificate is over or ends within 30 days. Of several certificates that were entered together
 * the one counts that is valid longest: an old one beside its successor does no harm.
 */
export function listEnding(destinations: readonly CertifiedDestination[], now: Date): EndingCertificate[] {
  return destinations.flatMap(({ uuid, name, tls_certificate: entered }) => {
    const states = (entered.match(pemBlock) ?? []).map((one) => certificateState(one, now))
    const last = states.toSorted((a, b) => b.secondsLeft - a.secondsLeft)[0]
    if (!last || last.level === 'ample') return []
    return [{ destination: { uuid, name }, level: last.level, endsAt: last.endsAt }]
  })
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g
