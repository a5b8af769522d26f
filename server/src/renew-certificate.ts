import { X509Certificate } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import type { Logger } from 'pino'
import { findCertificate } from './certificate.ts'
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

/**
 * Has listeners show the certificate that its files hold now. Files that cannot be used are logged, and the
 * certificate before goes on: key and certificate are seldom replaced in the same moment.
 */
export function watchCertificate(
  { config, log }: { config: Config; log: Logger },
  bearers: readonly CertificateBearer[],
  everyMs = lookEveryMs,
): CertificateWatch {
  const files = [
    config.https.certFile,
    config.https.keyFile,
    config.dicom.tlsAuthoritiesFile,
    config.hl7.tlsAuthoritiesFile,
  ].filter((file) => file !== undefined)
  let renewing: Promise<void> = Promise.resolve()
  const renew = () => {
    renewing = renewing.then(() => renewAll(config, log, bearers))
    return renewing
  }
  const handleChange = () => void renew()
  for (const file of files) watchFile(file, { interval: everyMs, persistent: false }, handleChange)
  return {
    renew,
    close: () => {
      for (const file of files) unwatchFile(file, handleChange)
    },
  }
}

async function renewAll(config: Config, log: Logger, bearers: readonly CertificateBearer[]): Promise<void> {
  try {
    // a certificate that one listener cannot use is taken by none
    const { cert } = await findCertificate(config)
    for (const bearer of bearers) await bearer.renewCertificate()
    log.warn({ event: 'certificate read again', validTo: new X509Certificate(cert).validToDate.toISOString() })
  } catch (error) {
    const advice = error instanceof ConfigError ? error.message : 'The certificate before goes on being shown'
    log.error({ event: 'certificate not read', advice, err: error })
  }
}
