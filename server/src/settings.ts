import { isIP } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { isGoodPassword } from '@hilum/contract/password-rule'
import { z } from 'zod'

/** One setting of the environment: how its text is read, what holds without it, and its line in docs/deploy.md. */
type Setting<Value> = {
  schema: z.ZodType<Value, string>
  /** The text used when the setting is absent or empty. */
  fallback?: string | ((environment: NodeJS.ProcessEnv) => string)
  /** Words of the documentation for the fallback, where that depends on the machine or on other settings. */
  fallbackWords?: string
  meaning: string
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number up to 65535')
const host = z.string().regex(/^[\w.:%-]+$/, 'must be an address or a host name')
const folder = z.string().refine((text) => path.isAbsolute(text), 'must be an absolute path')
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address like https://images.example.org' })
const mailbox = z.string().regex(/@[^@\s]+$|@[^@\s]+>$/, 'must be an address like Hilum <hilum@example.org>')
const password = z.string().refine(isGoodPassword, 'must have 8 characters or more, with 2 digits and 2 letters')
const addresses = z
  .string()
  .refine(
    (text) => text.split(',').every((one) => isAddressRange(one.trim())),
    'must be addresses or ranges like 10.0.0.5,10.1.0.0/16',
  )
export const processRoles = ['web', 'dicom', 'hl7', 'worker'] as const
export type ProcessRole = (typeof processRoles)[number]
const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const

/** Every setting there is. */
export const settings = {
  HILUM_PORT: setting(port, '8470', 'Port of the http listener; 0 takes any free one.'),
  HILUM_HOST: setting(
    host,
    '127.0.0.1',
    'Address of the http listener. Leave it on loopback unless a proxy on another machine adds TLS.',
  ),
  HILUM_HTTPS_PORT: setting(port, '8471', 'Port of the https listener; 0 takes any free one.'),
  HILUM_HTTPS_HOST: setting(
    host,
    '127.0.0.1',
    'Address of the https listener; `0.0.0.0` or `::` opens it to the network.',
  ),
  HILUM_TLS_CERT: optional(
    folder,
    'File with the certificate chain (PEM) of the https listener. Without one, a self-signed certificate is made at the first start.',
  ),
  HILUM_TLS_KEY: optional(folder, 'File with the private key (PEM) that belongs to `HILUM_TLS_CERT`.'),
  HILUM_TRUSTED_PROXIES: optional(
    addresses,
    'Proxies in front of Hilum, as addresses or ranges with commas (`10.0.0.5,10.1.0.0/16`): what they say of a caller’s address, of the host asked for and of https (`X-Forwarded-For`, `X-Forwarded-Host`, `X-Forwarded-Proto`) is believed. Without it all who come through a proxy count as one caller, also when wrong passwords are counted.',
    'none',
  ),
  HILUM_PUBLIC_URL: optional(
    webAddress,
    'Address that people open, as mails and links name it.',
    'the http listener’s',
  ),
  HILUM_CORS_ORIGINS: optional(
    z
      .string()
      .refine(
        (text) => text === '*' || text.split(',').every((one) => isOrigin(one.trim())),
        'must be origins like https://viewer.example.org,https://portal.example.org, or *',
      ),
    'Web pages of other origins whose scripts may call the API and DICOMweb, with commas, e.g. `https://viewer.example.org`; `*` lets all call that sign in by themselves, without cookies.',
    'none',
  ),
  HILUM_SECURITY_CONTACT: optional(
    z.string().regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be like mailto:security@example.org'),
    'Whom to tell of a weakness, as `/.well-known/security.txt` names it: `mailto:` or `https://`.',
    'the page `/help`',
  ),
  HILUM_DATA: setting(
    folder,
    defaultDataFolder,
    'Folder of the database, the images and the installation’s own files.',
    '`/var/lib/hilum` as root, else `$XDG_DATA_HOME/hilum` or `~/.local/share/hilum`',
  ),
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgresql://user@host/database' }),
    'A PostgreSQL 15 or later of your own, UTF-8 with a UTF-8 locale, e.g. `postgresql://hilum@db.example.org/hilum`.',
    'an embedded PostgreSQL 18 in `HILUM_DATA`',
  ),
  HILUM_PG_BIN: optional(
    folder,
    'Folder of the PostgreSQL programs (`postgres`, `initdb`) to run embedded.',
    'those that come with the packages',
  ),
  HILUM_SMTP_URL: optional(
    z.url({ protocol: /^smtps?$/, error: 'must be an address like smtp://user:password@mail.example.org:587' }),
    'Mail server, e.g. `smtps://user:password@mail.example.org`. Mails that wait, because none was set or it was away, are tried for 14 days, with pauses of up to an hour.',
    'mails wait in an outbox; links to new passwords are made by `npm run hilum -- users`',
  ),
  HILUM_MAIL_FROM: optional(mailbox, 'Sender of mails; needed with `HILUM_SMTP_URL`.'),
  HILUM_MAIL_BOUNCES: optional(
    z.email('must be an e-mail address'),
    'Address that mails which cannot be delivered come back to. Let the mail server hand what arrives there to `npm run hilum -- mail returned`: the link or request then says so.',
    'the sender’s; a refusal by the mail server itself is told anyway',
  ),
  HILUM_SMTP_TLS: optional(
    z.enum(['required', 'none'], { error: 'must be required or none' }),
    '`required`: mails go out over TLS or not at all (STARTTLS for `smtp:`); `none`: passwords and links cross the network in clear text.',
    '`required`, except for a mail server on this machine itself',
  ),
  HILUM_SMTP_CA: optional(
    folder,
    'File with certificate authorities of your own (PEM) that the mail server’s certificate may come from, beside the public ones.',
  ),
  HILUM_WEBHOOK_PRIVATE: setting(
    z.enum(['no', 'yes'], { error: 'must be yes or no' }).transform((word) => word === 'yes'),
    'no',
    '`yes`: webhooks may call addresses of this machine and of private networks, too.',
  ),
  HILUM_SIGN_IN_PRIVATE: setting(
    z.enum(['no', 'yes'], { error: 'must be yes or no' }).transform((word) => word === 'yes'),
    'no',
    '`yes`: providers of identities (OpenID Connect) may lie on this machine and in private networks, and be asked by plain http.',
  ),
  HILUM_DEMO_PASSWORD: optional(
    password,
    'One password for all users of the demo organisation, for scripts.',
    'a fresh one for each',
  ),
  HILUM_ADMIN_EMAIL: optional(
    z.email('must be an e-mail address'),
    'First administrator of an installation started with `--empty`.',
    'asked for in the terminal',
  ),
  HILUM_ADMIN_PASSWORD: optional(password, 'Password of the first administrator.', 'asked for in the terminal'),
  HILUM_UID_ROOT: optional(
    z
      .string()
      .regex(/^[0-2](\.(0|[1-9]\d*))+$/, 'must be a UID root like 1.2.826.0.1')
      .max(30, 'must leave room for our part: 30 characters at most'),
    'Your organisation’s root for the UIDs of images made here.',
    '`2.25` and a UUID',
  ),
  HILUM_DICOM_PORT: setting(port, '11112', 'Port of the DICOM listener; 0 takes any free one.'),
  HILUM_DICOM_HOST: setting(
    host,
    '127.0.0.1',
    'Address of the DICOM listeners; `0.0.0.0` or `::` opens them to the network.',
  ),
  HILUM_DICOM_TLS_PORT: optional(
    port,
    'Port of the DICOM listener with TLS, commonly 2762; 0 takes any free one. It shows the certificate of the https listener.',
    'no DICOM over TLS',
  ),
  HILUM_DICOM_TLS_CA: optional(
    folder,
    'File with the authorities (PEM) of which senders over TLS must show a certificate.',
    'senders need no certificate',
  ),
  HILUM_HL7_PORT: optional(
    port,
    'Port of the listener for orders by HL7 v2 (MLLP), commonly 2575; 0 takes any free one.',
    'no orders by HL7',
  ),
  HILUM_HL7_HOST: setting(
    host,
    '127.0.0.1',
    'Address of the HL7 listeners; `0.0.0.0` or `::` opens them to the network.',
  ),
  HILUM_HL7_TLS_PORT: optional(
    port,
    'Port of the HL7 listener with TLS; 0 takes any free one. It shows the certificate of the https listener.',
    'no HL7 over TLS',
  ),
  HILUM_HL7_TLS_CA: optional(
    folder,
    'File with the authorities (PEM) of which senders of HL7 over TLS must show a certificate.',
    'senders need no certificate',
  ),
  HILUM_CLAMD: optional(
    z.string().regex(/^(\/.+|[\w.-]+:\d{1,5})$/, 'must be host:port or the path of a socket'),
    'Virus scanner (clamd) that checks uploads, as `host:port` or the path of its socket.',
    'no scan',
  ),
  HILUM_CACHE_GB: setting(
    z
      .string()
      .regex(/^\d{1,6}(\.\d+)?$/, 'must be a number of GB')
      .transform(Number),
    '10',
    'How much thumbnails and lists made ahead may take, in GB; what was not used for longest goes first.',
  ),
  HILUM_METRICS_TOKEN: optional(
    z.string().regex(/^[\w.~+/=-]{24,200}$/, 'must be 24 to 200 letters, digits or signs of .~+/=_-'),
    'Token with which a monitor reads `/metrics` (`Authorization: Bearer`), e.g. from `openssl rand -hex 32`.',
    '`/metrics` is not there',
  ),
  HILUM_ROLES: setting(
    z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim()))
      .refine(areRoles, `must name some of ${processRoles.join(', ')}, with commas`)
      .transform((names) => new Set(names as ProcessRole[])),
    processRoles.join(','),
    'What this process does: `web` serves pages, API, storage and DICOMweb, `dicom` listens to DICOM senders, `hl7` to senders of orders, `worker` runs jobs and sends mails. Every process answers `/health` and `/metrics`.',
  ),
  HILUM_LOG_LEVEL: setting(
    z.enum(levels, `must be one of ${levels.join(', ')}`),
    'warn',
    `How much is logged: ${levels.join(', ')}.`,
  ),
}

/** The settings as rows of a Markdown table, as docs/deploy.md holds them. */
export function listServerSettings(): string {
  const rows = Object.entries(settings).map(([name, { fallback, fallbackWords, meaning }]) => {
    const without = fallbackWords ?? (fallback === undefined ? '' : `\`${String(fallback)}\``)
    return `| \`${name}\` | ${without} | ${meaning} |`
  })
  return ['| Setting | Without it | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function areRoles(names: readonly string[]): boolean {
  return names.every((name) => (processRoles as readonly string[]).includes(name))
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

function setting<Value>(
  schema: z.ZodType<Value, string>,
  fallback: Setting<Value>['fallback'],
  meaning: string,
  fallbackWords?: string,
) {
  return { schema, fallback, meaning, fallbackWords }
}

function optional<Value>(schema: z.ZodType<Value, string>, meaning: string, fallbackWords?: string) {
  return { schema: schema.optional(), fallback: undefined, meaning, fallbackWords }
}

function defaultDataFolder(environment: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/hilum'
  return path.join(environment['XDG_DATA_HOME'] || path.join(os.homedir(), '.local', 'share'), 'hilum')
}
