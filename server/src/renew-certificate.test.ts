import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import Fastify from 'fastify'
import pino from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { makeCertificate } from '../test/made-certificate.ts'
import { createCertificateTerm } from './certificate-term.ts'
import { readConfig } from './config.ts'
import { listen } from './inbound/http/listen.ts'
import { watchCertificate } from './renew-certificate.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-renewal-'))
const shown = await makeCertificate(folder, 'first.example')
const logged: string[] = []
const log = pino({ base: null }, { write: (line) => logged.push(line) > 0 })
const config = readConfig({
  HILUM_DATA: folder,
  HILUM_PORT: '0',
  HILUM_HTTPS_PORT: '0',
  HILUM_TLS_CERT: shown.certFile,
  HILUM_TLS_KEY: shown.keyFile,
})
const app = Fastify()
const listeners = await listen(app, config)
const certificate = createCertificateTerm()
const watch = watchCertificate({ config, log, certificate }, [listeners], 20)
afterAll(async () => {
  watch.close()
  await listeners.close()
  await app.close()
  await rm(folder, { recursive: true })
})

/** The host for which the certificate is that a new connection is shown. */
async function hostShown(): Promise<string | undefined> {
  const port = Number(new URL(listeners.httpsAddress).port)
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return Array.isArray(CN) ? CN[0] : CN
}

it('shows what the files hold now, without a restart', async () => {
  expect(await hostShown()).toBe('first.example')
  await makeCertificate(folder, 'second.example')
  await expect.poll(hostShown).toBe('second.example')
})

it('takes the end of a renewed certificate at once, which clears a warning', async () => {
  const endsAt = certificate.look()?.endsAt ?? new Date(Number.NaN)
  const now = new Date(endsAt.getTime() - 86_400_000)
  expect(certificate.look(now)?.level).toBe('within-3-days')
  await makeCertificate(folder, 'longer.example', 400)
  await expect.poll(() => certificate.look(now)?.level).toBe('ample')
})

it('goes on with the certificate before while the files do not belong together, and says so', async () => {
  const before = await hostShown()
  const third = await makeCertificate(join(folder, 'third'), 'third.example')
  await writeFile(shown.certFile, third.cert)
  await expect.poll(() => logged.join('')).toContain('is not the key of the certificate')
  expect(await hostShown()).toBe(before)
  await writeFile(shown.keyFile, third.key)
  await expect.poll(hostShown).toBe('third.example')
})

it('makes its own certificate anew by itself when it ends soon, which no person has to see to', async () => {
  const own = await mkdtemp(join(tmpdir(), 'hilum-own-'))
  const term = createCertificateTerm()
  term.note((await makeCertificate(join(own, 'short'), 'short.example', 20)).cert)
  const renewCertificate = vi.fn(async () => undefined)
  const services = { config: readConfig({ HILUM_DATA: own }), log, certificate: term }
  const ownWatch = watchCertificate(services, [{ renewCertificate }], 1_000, 20)
  await expect.poll(() => term.look()?.level).toBe('ample')
  ownWatch.close()
  expect(renewCertificate).toHaveBeenCalled()
  await rm(own, { recursive: true })
})
