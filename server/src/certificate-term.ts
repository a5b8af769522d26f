import { X509Certificate } from 'node:crypto'

/** How soon a certificate ends. `over`: other programs refuse it. */
export type CertificateLevel = 'ample' | 'within-30-days' | 'within-14-days' | 'within-3-days' | 'over'

interface CertificateState {
  level: CertificateLevel
  /** Negative once it is over. */
  secondsLeft: number
  endsAt: Date
}

/** Until when the certificate is valid that the listeners of this process show. */
export interface CertificateTerm {
  /** Takes note of a certificate (PEM, its own first) that the listeners show from now on. */
  note: (cert: string) => void
  /** Undefined before a listener shows one. */
  look: (now?: Date) => CertificateState | undefined
}

const daySeconds = 86_400
const warnedAt = [
  [0, 'over'],
  [3 * daySeconds, 'within-3-days'],
  [14 * daySeconds, 'within-14-days'],
  [30 * daySeconds, 'within-30-days'],
] as const

/** The first certificate of a chain counts: the ones behind it are exchanged with it, and some of them end without harm. */
export function certificateState(cert: string, now: Date): CertificateState {
  const endsAt = new X509Certificate(cert).validToDate
  return stateAt(endsAt, now)
}

export function createCertificateTerm(): CertificateTerm {
  let endsAt: Date | undefined
  return {
    note: (cert) => {
      endsAt = new X509Certificate(cert).validToDate
    },
    look: (now = new Date()) => endsAt && stateAt(endsAt, now),
  }
}

function stateAt(endsAt: Date, now: Date): CertificateState {
  const secondsLeft = (endsAt.getTime() - now.getTime()) / 1000
  const level = warnedAt.find(([limit]) => secondsLeft <= limit)?.[1] ?? 'ample'
  return { level, secondsLeft, endsAt }
}
