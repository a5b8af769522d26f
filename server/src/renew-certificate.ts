import { unwatchFile, watchFile } from 'node:fs'
import type { Log } from './log.ts'
import { findCertificate } from './certificate.ts'
import type { CertificateTerm } from './certificate-term.ts'
import { type Config, ConfigError } from './config.ts'

/** A listener that shows the certificate of the settings. */
export interface CertificateBearer {
  /** Reads the files of the settings again; connections that are open keep what they have. @throws ConfigError */
  renewCertificate: () => Promise<void>
}

interface CertificateWatch {
  /** Reads the files again at once, whether they have changed or not. */
  renew: () => Promise<void>
  close: () => void
}

/** How often the files are looked at: a link that leads elsewhere, and shared folders, tell nothing of themselves. */
const lookEveryMs = 5_000
/** How often it is seen whether our own certificate ends soon; it is made anew 30 days before. */
const renewOwnEveryMs = 3_600_000

interface Watched {
  config: Config
  log: Log
  certificate: CertificateTerm
}

/**
 * Has listeners show the certificate that its files hold now. Files that cannot be used are logged, and the
 * certificate before goes on: key and certificate are seldom replaced in the same moment.
 */
export function watchCertificate(
  watched: Watched,
  bearers: readonly CertificateBearer[],
  everyMs = lookEveryMs,
  ownEveryMs = renewOwnEveryMs,
): CertificateWatch {
  const { config, certificate } = watched
  const files = [
    config.https.certFile,
    config.https.keyFile,
    config.dicom.tlsAuthoritiesFile,
    config.hl7.tlsAuthoritiesFile,
  ].filter((file) => file !== undefined)
  let renewing: Promise<void> = Promise.resolve()
  const renew = () => {
    renewing = renewing.then(() => renewAll(watched, bearers))
    return renewing
  }
  const handleChange = () => void renew()
  for (const file of files) watchFile(file, { interval: everyMs, persistent: false }, handleChange)
  const renewOwn = () => {
    const state = certificate.look()
    if (config.https.certFile === undefined && state && state.level !== 'ample') handleChange()
  }
  const timer = setInterval(renewOwn, ownEveryMs).unref()
  return {
    renew,
    close: () => {
      clearInterval(timer)
      for (const file of files) unwatchFile(file, handleChange)
    },
  }
}

async function renewAll({ config, log, certificate }: Watched, bearers: readonly CertificateBearer[]): Promise<void> {
  try {
    // a certificate that one listener cannot use is taken by none
    const { cert } = await findCertificate(config)
    for (const bearer of bearers) await bearer.renewCertificate()
    certificate.note(cert)
    log.warn({ event: 'certificate read again', validTo: certificate.look()?.endsAt.toISOString() })
  } catch (error) {
    const reason = error instanceof ConfigError ? { reason: error.message } : {}
    log.error({ event: 'certificate not read', ...reason, err: error })
  }
}
