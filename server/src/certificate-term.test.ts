import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { makeCertificate } from '../test/made-certificate.ts'
import { tendCertificate } from './areas/installation/tend-certificate.command.ts'
import { createCertificateTerm } from './certificate-term.ts'
import type { Services } from './services.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-term-'))
afterAll(() => rm(folder, { recursive: true }))
const { cert } = await makeCertificate(folder)
const dayMs = 86_400_000

function startProcess() {
  const certificate = createCertificateTerm()
  certificate.note(cert)
  const endsAt = certificate.look()?.endsAt ?? new Date(Number.NaN)
  const at = (daysLeft: number) => new Date(endsAt.getTime() - daysLeft * dayMs)
  return { certificate, at }
}

it.each([
  [30.01, 'ample'],
  [30, 'within-30-days'],
  [14.1, 'within-30-days'],
  [14, 'within-14-days'],
  [3.01, 'within-14-days'],
  [3, 'within-3-days'],
  [0.01, 'within-3-days'],
  [0, 'over'],
  [-400, 'over'],
])('with %f days left a certificate is %s', (daysLeft, level) => {
  const { certificate, at } = startProcess()
  const state = certificate.look(at(daysLeft))
  expect(state?.level).toBe(level)
  expect(state?.secondsLeft).toBeCloseTo(daysLeft * 86_400, 1)
})

it('says nothing before a listener shows a certificate', () => {
  expect(createCertificateTerm().look()).toBeUndefined()
})

it('logs each change of the level once with what to do, and that a certificate was renewed', () => {
  const { certificate, at } = startProcess()
  const lines: string[] = []
  const write = (grade: string) => vi.fn((line: { term: string }) => lines.push(`${grade} ${line.term}`))
  const log = { warn: write('warn'), error: write('error') }
  const services = { certificate, log } as unknown as Services
  for (const daysLeft of [40, 29, 28, 13, 2, -1, -2, 300]) tendCertificate(services, at(daysLeft))
  expect(lines).toEqual([
    'warn within-30-days',
    'warn within-14-days',
    'error within-3-days',
    'error over',
    'warn ample',
  ])
  expect(log.error.mock.calls[0]?.[0]).toMatchObject({ advice: expect.stringContaining('HILUM_TLS_CERT') })
})
