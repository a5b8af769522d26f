import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { findCertificate } from './certificate.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-certificate-'))
afterAll(() => rm(folder, { recursive: true }))
const config = readConfig({ HILUM_DATA: folder })
const names = { cert: join(folder, 'tls/self-signed.crt'), key: join(folder, 'tls/self-signed.key') }

it('keeps the certificate that it made, in whole files', async () => {
  const made = await findCertificate(config)
  expect(await findCertificate(config)).toEqual(made)
  expect(await readdir(join(folder, 'tls'))).toEqual(['self-signed.crt', 'self-signed.key'])
  expect({ cert: await readFile(names.cert, 'utf8'), key: await readFile(names.key, 'utf8') }).toEqual(made)
})

it.each([
  ['certificate that was cut short', () => truncate(names.cert, 100)],
  ['certificate of no bytes', () => truncate(names.cert, 0)],
  ['key that was cut short', () => truncate(names.key, 40)],
  ['key that is missing', () => rm(names.key)],
])('makes a %s anew', async (_, harm) => {
  await findCertificate(config)
  await harm()
  const anew = await findCertificate(config)
  expect(() => createSecureContext(anew)).not.toThrow()
  expect(await findCertificate(config)).toEqual(anew)
})

it('makes its own certificate anew 30 days before it ends, and not before', async () => {
  const made = await findCertificate(config)
  const endsAt = new X509Certificate(made.cert).validToDate.getTime()
  const daysBefore = (days: number) => new Date(endsAt - days * 86_400_000)
  expect(await findCertificate(config, daysBefore(31))).toEqual(made)
  const anew = await findCertificate(config, daysBefore(29))
  expect(anew.cert).not.toBe(made.cert)
  expect(new X509Certificate(anew.cert).validToDate.getTime()).toBeGreaterThan(endsAt)
})
