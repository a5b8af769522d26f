import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** A certificate that is its own authority, and the files in which it and its key are, PEM each. */
export interface MadeCertificate {
  cert: string
  key: string
  certFile: string
  keyFile: string
}

/** @param name the host that it is for @param days for how long it is valid */
export async function makeCertificate(folder: string, name = 'localhost', days = 365): Promise<MadeCertificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 2 * 86_400_000),
    notAfterDate: new Date(Date.now() + days * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  })
  await mkdir(folder, { recursive: true })
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await writeFile(certFile, cert)
  await writeFile(keyFile, key)
  return { cert, key, certFile, keyFile }
}
