import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { ListenError, openPort } from './open-port.ts'

const named = { host: 'HILUM_DICOM_HOST', port: 'HILUM_DICOM_PORT' } as const

/** The message to a person whose listener the system refuses. */
async function refusalOf(host: string, code: string, port = 443): Promise<unknown> {
  const cause = Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen' })
  return openPort({ host, port }, named, () => Promise.reject(cause)).catch((error: unknown) => error)
}

it.each([
  ['0.0.0.0', 'EACCES', 'HILUM_DICOM_PORT: this user may not listen at port 443'],
  ['10.99.99.9', 'EADDRNOTAVAIL', 'HILUM_DICOM_HOST: 10.99.99.9 is no address of this machine.'],
  ['pacs.invalid', 'ENOTFOUND', 'HILUM_DICOM_HOST: no address is known for the name pacs.invalid.'],
  ['fe80::1', 'EINVAL', 'HILUM_DICOM_HOST: nothing can listen at fe80::1, port 443 (EINVAL).'],
])('names the setting of %s when the system says %s', async (host, code, words) => {
  const refused = await refusalOf(host, code)
  expect(refused).toBeInstanceOf(ListenError)
  expect(String(refused)).toContain(words)
})

it('names the next free port where one is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await expect.poll(() => taken.listening).toBe(true)
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(String(await refusalOf('127.0.0.1', 'EADDRINUSE', port))).toMatch(/start with HILUM_DICOM_PORT=\d+/)
  taken.close()
})

it('passes on what is no refusal of the system', async () => {
  const fault = new Error('a mistake of ours')
  await expect(openPort({ host: '', port: 0 }, named, () => Promise.reject(fault))).rejects.toBe(fault)
})
