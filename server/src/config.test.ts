import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { listServerSettings } from './settings.ts'

function faultsOf(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('the settings', () => {
  it('work with no variable set', () => {
    expect(readConfig({})).toMatchObject({
      http: { host: '127.0.0.1', port: 8470 },
      https: { host: '127.0.0.1', port: 8471 },
      databaseUrl: undefined,
      dicom: { host: '127.0.0.1', port: 11_112, tlsPort: undefined },
      logLevel: 'warn',
    })
    expect(path.isAbsolute(readConfig({}).dataFolder)).toBe(true)
  })

  it('take what is set, and count empty ones as absent', () => {
    const config = readConfig({
      HILUM_PORT: '0',
      HILUM_DATA: '/srv/hilum',
      DATABASE_URL: 'postgresql://hilum@db/hilum',
      HILUM_PUBLIC_URL: 'https://images.example.org/',
      HILUM_SMTP_URL: '',
      HILUM_ADMIN_EMAIL: 'anna@example.org',
      HILUM_ADMIN_PASSWORD: 'long enough 12',
    })
    expect(config).toMatchObject({
      http: { port: 0 },
      dataFolder: '/srv/hilum',
      databaseUrl: 'postgresql://hilum@db/hilum',
      publicUrl: 'https://images.example.org',
      smtpUrl: undefined,
      firstAdministrator: { email: 'anna@example.org', password: 'long enough 12' },
    })
  })

  it('tell all faults at once, in words', () => {
    const faults = faultsOf({
      HILUM_PORT: 'eighty',
      HILUM_HTTPS_PORT: '70000',
      HILUM_DATA: 'data',
      DATABASE_URL: 'mysql://db',
      HILUM_PUBLIC_URL: 'images.example.org',
      HILUM_UID_ROOT: '1.02',
      HILUM_LOG_LEVEL: 'loud',
      HILUM_TLS_CERT: '/etc/hilum/cert.pem',
      HILUM_SMTP_URL: 'smtp://mail.example.org',
      HILUM_PROT: '80',
    })
    for (const fault of [
      'HILUM_PORT must be a port number.',
      'HILUM_HTTPS_PORT must be a port number up to 65535.',
      'HILUM_DATA must be an absolute path.',
      'DATABASE_URL must be an address like',
      'HILUM_PUBLIC_URL must be an address like',
      'HILUM_UID_ROOT must be a UID root like',
      'HILUM_LOG_LEVEL must be one of silent, fatal, error, warn, info, debug.',
      'HILUM_TLS_CERT needs HILUM_TLS_KEY as well.',
      'HILUM_SMTP_URL needs HILUM_MAIL_FROM as well.',
      'HILUM_PROT is not a setting.',
    ]) {
      expect(faults).toContain(fault)
    }
  })

  it('a process for HL7 alone names a port: it would listen to nobody otherwise', () => {
    const fault = 'HILUM_ROLES is hl7 alone, which needs HILUM_HL7_PORT or HILUM_HL7_TLS_PORT as well.'
    expect(faultsOf({ HILUM_ROLES: 'hl7' })).toContain(fault)
    expect(readConfig({ HILUM_ROLES: 'hl7', HILUM_HL7_TLS_PORT: '2576' }).roles).toEqual(new Set(['hl7']))
    expect(readConfig({ HILUM_ROLES: 'hl7,web' }).roles.size).toBe(2)
  })

  it('name a password of the demo that holds a name, with all other faults', () => {
    const faults = faultsOf({ HILUM_DEMO_PASSWORD: 'Newcomer-Hilum-2026', HILUM_PROT: '1' })
    expect(faults).toContain('HILUM_DEMO_PASSWORD will not do. It must not hold the name of this product.')
    expect(faults).toContain('HILUM_PROT is not a setting.')
    expect(faultsOf({ HILUM_DEMO_PASSWORD: 'Northside2026ab' })).toContain('the name of the organisation')
  })

  it('never repeat a secret in a fault', () => {
    expect(faultsOf({ HILUM_DEMO_PASSWORD: 'short', DATABASE_URL: 'mysql://me:topsecret@db' })).not.toMatch(
      /short\b|topsecret/,
    )
  })

  it('are all in docs/deploy.md as the code has them', () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
    expect(page).toContain(listServerSettings())
  })
})
