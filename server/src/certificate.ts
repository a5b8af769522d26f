import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { generate } from 'selfsigned'
import { isMissing, writeTextDurably } from './backup/durable-files.ts'
import { certificateState } from './certificate-term.ts'
import type { Config } from './config.ts'
import { type Certificate, readAuthorities, readCertificate } from './pem-files.ts'

const yearsValid = 10

/**
 * The certificate of the https listener: the one from the settings, else one that we sign ourselves at the first start
 * and keep, so that who has accepted it once is not asked again. One that a crash or a full disk left unusable, or that
 * ends within 30 days, is made anew.
 * @throws ConfigError when the files of the settings cannot be used
 */
export async function findCertificate(config: Config, now = new Date()): Promise<Certificate> {
  const { certFile, keyFile } = config.https
  if (certFile && keyFile) return readCertificate(certFile, keyFile)
  const folder = join(config.dataFolder, 'tls')
  const paths = { cert: join(folder, 'self-signed.crt'), key: join(folder, 'self-signed.key') }
  const stored = await readPair(paths)
  if (stored && isUsable(stored, now)) return stored
  const made = await makeSelfSigned(now)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  // whole or not at all, and the certificate last: where there is one, its key is there
  await writeTextDurably(paths.key, made.key)
  await writeTextDurably(paths.cert, made.cert)
  return made
}

/**
 * The certificate that a listener for other systems shows: the one of the https listener; where a
 * setting names authorities, it asks for one of theirs.
 * @throws ConfigError when a file of the settings cannot be used
 */
export async function tlsOptions(
  config: Config,
  setting: 'HILUM_DICOM_TLS_CA' | 'HILUM_HL7_TLS_CA',
  authoritiesFile: string | undefined,
): Promise<TlsOptions> {
  const certificate = await findCertificate(config)
  if (!authoritiesFile) return certificate
  return {
    ...certificate,
    ca: await readAuthorities(setting, authoritiesFile),
    requestCert: true,
    rejectUnauthorized: true,
  }
}

async function readPair(paths: Certificate): Promise<Certificate | undefined> {
  try {
    return { cert: await readFile(paths.cert, 'utf8'), key: await readFile(paths.key, 'utf8') }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isUsable({ cert, key }: Certificate, now: Date): boolean {
  try {
    const isOurs = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
    return isOurs && certificateState(cert, now).level === 'ample'
  } catch {
    return false // cut short, it is neither certificate nor key
  }
}

async function makeSelfSigned(notBeforeDate: Date): Promise<Certificate> {
  const notAfterDate = new Date(notBeforeDate)
  notAfterDate.setFullYear(notAfterDate.getFullYear() + yearsValid)
  const { cert, private: key } = await generate([{ name: 'commonName', value: hostname() || 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: hostname() || 'localhost' },
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert, key }
}
