import { type CertificateLevel, certificateState } from '../../certificate-term.ts'
import type { PinnedDestination } from './echo.sql.ts'

interface EndingCertificate {
  destination: Pick<PinnedDestination, 'uuid' | 'name'>
  level: Exclude<CertificateLevel, 'ample'>
  endsAt: Date
}

/**
 * Destinations whose kept certificate is over or ends within 30 days. Of several that were kept together the one counts
 * that is valid longest: an old one beside its successor does no harm.
 */
export function listEnding(pinned: readonly PinnedDestination[], now: Date): EndingCertificate[] {
  return pinned.flatMap(({ uuid, name, tls_certificate: kept }) => {
    const states = (kept.match(pemBlock) ?? []).map((one) => certificateState(one, now))
    const last = states.toSorted((a, b) => b.secondsLeft - a.secondsLeft)[0]
    if (!last || last.level === 'ample') return []
    return [{ destination: { uuid, name }, level: last.level, endsAt: last.endsAt }]
  })
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g
