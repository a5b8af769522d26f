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

/** @param name the host that it is for */
export async function makeCertificate(folder: string, name = 'localhost'): Promise<MadeCertificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
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
