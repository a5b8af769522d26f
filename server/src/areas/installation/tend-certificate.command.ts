import type { CertificateLevel } from '../../certificate-term.ts'
import type { Services } from '../../services.ts'

const reportedLevel = new WeakMap<Services['certificate'], CertificateLevel>()

const advice: Record<CertificateLevel, string> = {
  ample: 'The certificate was renewed',
  'within-30-days': 'Plan to renew the certificate; files that are replaced are read without a restart',
  'within-14-days': 'Renew the certificate: replace the files of HILUM_TLS_CERT and HILUM_TLS_KEY',
  'within-3-days': 'Renew the certificate now: replace the files of HILUM_TLS_CERT and HILUM_TLS_KEY',
  over: 'Browsers and senders refuse the connection: replace the files of HILUM_TLS_CERT and HILUM_TLS_KEY',
}

/** Logs each change of how soon the certificate ends. */
export function tendCertificate(
  { certificate, log }: Pick<Services, 'certificate' | 'log'>,
  now: Date = new Date(),
): void {
  const state = certificate.look(now)
  if (!state) return
  const { level, endsAt } = state
  if (level !== (reportedLevel.get(certificate) ?? 'ample')) {
    const line = {
      event: 'certificate ends' as const,
      term: level,
      validTo: endsAt.toISOString(),
      advice: advice[level],
    }
    if (level === 'over' || level === 'within-3-days') log.error(line)
    else log.warn(line)
  }
  reportedLevel.set(certificate, level)
}
