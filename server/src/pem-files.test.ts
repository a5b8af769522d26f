import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeCertificate } from '../test/made-certificate.ts'
import { readAuthorities, readCertificate } from './pem-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-pem-'))
afterAll(() => rm(folder, { recursive: true }))
const one = await makeCertificate(join(folder, 'one'))
const other = await makeCertificate(join(folder, 'other'))
const text = join(folder, 'text.pem')
await writeFile(text, 'no certificate')
const broken = join(folder, 'broken.pem')
await writeFile(broken, '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')
const bundle = join(folder, 'bundle.pem')
await writeFile(bundle, `# two of them\n${one.cert}\n${other.cert}`)

it('reads a certificate and its key, and every authority of a file', async () => {
  expect(await readCertificate(one.certFile, one.keyFile)).toEqual({ cert: one.cert, key: one.key })
  expect(await readAuthorities('HILUM_SMTP_CA', bundle)).toEqual([one.cert.trim(), other.cert.trim()])
})

it.each([
  ['an absent certificate', join(folder, 'absent'), one.keyFile, /^HILUM_TLS_CERT: .*absent is not there/],
  ['a folder', folder, one.keyFile, /^HILUM_TLS_CERT: .* is a folder/],
  ['a text', text, one.keyFile, /^HILUM_TLS_CERT: .* does not hold a certificate/],
  ['an absent key', one.certFile, join(folder, 'absent'), /^HILUM_TLS_KEY: .*absent is not there/],
  ['a certificate as key', one.certFile, one.certFile, /^HILUM_TLS_KEY: .* does not hold a private key/],
  ['the key of another certificate', one.certFile, other.keyFile, /^HILUM_TLS_KEY: .* is not the key of/],
])('names the setting of %s', async (_kind, certFile, keyFile, words) => {
  await expect(readCertificate(certFile, keyFile)).rejects.toThrow(words)
})

it.each([
  ['an absent file', join(folder, 'absent'), /^HILUM_DICOM_TLS_CA: .* is not there/],
  ['a text', text, /^HILUM_DICOM_TLS_CA: .* holds no certificate/],
  ['a certificate that is cut short', broken, /^HILUM_DICOM_TLS_CA: .* certificates that can be read/],
])('names the setting of authorities in %s', async (_kind, file, words) => {
  await expect(readAuthorities('HILUM_DICOM_TLS_CA', file)).rejects.toThrow(words)
})
