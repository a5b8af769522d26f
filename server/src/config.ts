import { findPasswordFault } from './areas/user/password-fault.ts'
import { demoNames } from './demo/demo-organisation.ts'
import { passwordFaultText } from './demo/password-fault-text.ts'
import { type ProcessRole, settings } from './settings.ts'

/** The settings of the installation, parsed; see docs/deploy.md for each. */
export type Config = ReturnType<typeof arrange>

/** Settings that cannot be used, all of them, in words. */
export class ConfigError extends Error {}

type Values = { [Name in keyof typeof settings]: (typeof settings)[Name]['schema']['_output'] }

/** Variables with these beginnings belong to tests and measurements, not to the server. */
const foreignPrefixes = ['HILUM_TEST_', 'HILUM_BENCH_', 'HILUM_PROOF_']

/**
 * Reads every setting from the environment; an empty one counts as absent.
 * @throws ConfigError naming all faults at once
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, fallback }] of Object.entries(settings)) {
    const absent = typeof fallback === 'function' ? fallback(environment) : fallback
    const result = schema.safeParse(environment[name]?.trim() || absent)
    if (result.success) values[name] = result.data
    else faults.push(`${name} ${result.error.issues[0]?.message}.`)
  }
  faults.push(
    ...findUnknown(environment),
    ...findHalves(environment),
    ...findIdleRole(environment),
    ...findWeakDemo(values),
  )
  if (faults.length > 0)
    throw new ConfigError(
      `These settings cannot be used:\n${faults.map((fault) => `  ${fault}\n`).join('')}docs/deploy.md lists them all.`,
    )
  // Each value came out of the schema of its own name.
  return arrange(values as Values)
}

function arrange(values: Values) {
  return {
    http: { host: values.HILUM_HOST, port: values.HILUM_PORT },
    https: {
      host: values.HILUM_HTTPS_HOST,
      port: values.HILUM_HTTPS_PORT,
      certFile: values.HILUM_TLS_CERT,
      keyFile: values.HILUM_TLS_KEY,
    },
    /** Addresses whose word about callers is believed; undefined: nobody's. */
    trustedProxies: values.HILUM_TRUSTED_PROXIES?.split(',').map((one) => one.trim()),
    /** Without a slash at its end; undefined when the listener's own address serves. */
    publicUrl: values.HILUM_PUBLIC_URL?.replace(/\/+$/, ''),
    /** Origins whose scripts may call; `*` stands for all of them, undefined for none. */
    corsOrigins: values.HILUM_CORS_ORIGINS?.split(',').map((one) => one.trim()),
    /** A mailto: or https: address. */
    securityContact: values.HILUM_SECURITY_CONTACT,
    dataFolder: values.HILUM_DATA,
    /** Undefined: run the embedded PostgreSQL. */
    databaseUrl: values.DATABASE_URL,
    postgresBinFolder: values.HILUM_PG_BIN,
    /** Undefined: mails wait in the outbox. */
    smtpUrl: values.HILUM_SMTP_URL,
    smtpTls: values.HILUM_SMTP_TLS,
    smtpAuthoritiesFile: values.HILUM_SMTP_CA,
    /** Undefined: undelivered mails come back to the sender. */
    mailBounces: values.HILUM_MAIL_BOUNCES,
    mailFrom: values.HILUM_MAIL_FROM ?? 'Hilum <hilum@localhost>',
    /** Whether webhooks may call addresses that are not public. */
    webhooksToPrivate: values.HILUM_WEBHOOK_PRIVATE,
    /** Whether providers of identities may have addresses that are not public, and such of http. */
    signInAtPrivate: values.HILUM_SIGN_IN_PRIVATE,
    demoPassword: values.HILUM_DEMO_PASSWORD,
    firstAdministrator:
      values.HILUM_ADMIN_EMAIL !== undefined && values.HILUM_ADMIN_PASSWORD !== undefined
        ? { email: values.HILUM_ADMIN_EMAIL, password: values.HILUM_ADMIN_PASSWORD }
        : undefined,
    /** Undefined: `2.25.` and a UUID. */
    uidRoot: values.HILUM_UID_ROOT,
    dicom: {
      host: values.HILUM_DICOM_HOST,
      port: values.HILUM_DICOM_PORT,
      /** Undefined: no listener with TLS. */
      tlsPort: values.HILUM_DICOM_TLS_PORT,
      /** Undefined: clients need no certificate. */
      tlsAuthoritiesFile: values.HILUM_DICOM_TLS_CA,
    },
    hl7: {
      host: values.HILUM_HL7_HOST,
      /** Undefined: no listener, without TLS or with it. */
      port: values.HILUM_HL7_PORT,
      tlsPort: values.HILUM_HL7_TLS_PORT,
      /** Undefined: senders need no certificate. */
      tlsAuthoritiesFile: values.HILUM_HL7_TLS_CA,
    },
    /** host:port or the path of a socket; undefined: no scan. */
    clamd: values.HILUM_CLAMD,
    cacheBytes: values.HILUM_CACHE_GB * 1024 ** 3,
    roles: values.HILUM_ROLES as ReadonlySet<ProcessRole>,
    /** Undefined: nobody reads `/metrics`. */
    metricsToken: values.HILUM_METRICS_TOKEN,
    logLevel: values.HILUM_LOG_LEVEL,
  }
}

/** A misspelt setting would otherwise be silently without effect. */
function findUnknown(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter(
      (name) =>
        name.startsWith('HILUM_') && !(name in settings) && !foreignPrefixes.some((prefix) => name.startsWith(prefix)),
    )
    .map((name) => `${name} is not a setting.`)
}

/** One password of all people of the demo is held against the names of each of them. */
function findWeakDemo({ HILUM_DEMO_PASSWORD: password }: Record<string, unknown>): string[] {
  const fault = typeof password === 'string' ? findPasswordFault(password, demoNames) : undefined
  return fault ? [`HILUM_DEMO_PASSWORD will not do. ${passwordFaultText(fault)}`] : []
}

/** A process for orders alone that listens to nobody would do nothing, and say nothing of it. */
function findIdleRole({ HILUM_ROLES, HILUM_HL7_PORT, HILUM_HL7_TLS_PORT }: NodeJS.ProcessEnv): string[] {
  if (HILUM_ROLES?.trim() !== 'hl7' || HILUM_HL7_PORT || HILUM_HL7_TLS_PORT) return []
  return ['HILUM_ROLES is hl7 alone, which needs HILUM_HL7_PORT or HILUM_HL7_TLS_PORT as well.']
}

/** Settings that mean something only with their other half. */
function findHalves(environment: NodeJS.ProcessEnv): string[] {
  const pairs = [
    ['HILUM_TLS_CERT', 'HILUM_TLS_KEY'],
    ['HILUM_TLS_KEY', 'HILUM_TLS_CERT'],
    ['HILUM_ADMIN_EMAIL', 'HILUM_ADMIN_PASSWORD'],
    ['HILUM_ADMIN_PASSWORD', 'HILUM_ADMIN_EMAIL'],
    ['HILUM_SMTP_URL', 'HILUM_MAIL_FROM'],
    ['HILUM_MAIL_BOUNCES', 'HILUM_SMTP_URL'],
    ['HILUM_SMTP_TLS', 'HILUM_SMTP_URL'],
    ['HILUM_SMTP_CA', 'HILUM_SMTP_URL'],
    ['HILUM_DICOM_TLS_CA', 'HILUM_DICOM_TLS_PORT'],
    ['HILUM_HL7_TLS_CA', 'HILUM_HL7_TLS_PORT'],
  ] as const
  return pairs
    .filter(([one, other]) => environment[one] && !environment[other])
    .map(([one, other]) => `${one} needs ${other} as well.`)
}
