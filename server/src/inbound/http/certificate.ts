import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Config } from '../../config.ts'

export interface Certificate {
  cert: string
  key: string
}

const yearsValid = 10

/**
 * The certificate of the https listener: the one from the settings, else one that we sign ourselves at the first start
 * and keep, so that who has accepted it once is not asked again.
 * @throws Error when the files of the settings cannot be read
 */
export async function findCertificate(config: Config): Promise<Certificate> {
  const { certFile, keyFile } = config.https
  if (certFile && keyFile) return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  const folder = join(config.dataFolder, 'tls')
  const paths = { cert: join(folder, 'self-signed.crt'), key: join(folder, 'self-signed.key') }
  try {
    return { cert: await readFile(paths.cert, 'utf8'), key: await readFile(paths.key, 'utf8') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = await makeSelfSigned()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  await writeFile(paths.key, made.key, { mode: 0o600 })
  await writeFile(paths.cert, made.cert, { mode: 0o644 })
  return made
}

async function makeSelfSigned(): Promise<Certificate> {
  const notBeforeDate = new Date()
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
