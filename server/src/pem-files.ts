import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ConfigError } from './config.ts'
import type { settings } from './settings.ts'

type SettingName = keyof typeof settings

/** The certificate that a TLS server shows, and its private key, both in PEM. */
export interface Certificate {
  cert: string
  key: string
}

/**
 * The certificate and the private key that two settings name.
 * @throws ConfigError naming the setting, when a file cannot be read, is no PEM, or the two do not belong together
 */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const cert = await read('HILUM_TLS_CERT', certFile)
  const key = await read('HILUM_TLS_KEY', keyFile)
  const certificate = parsed('HILUM_TLS_CERT', certFile, 'a certificate', () => new X509Certificate(cert))
  const privateKey = parsed('HILUM_TLS_KEY', keyFile, 'a private key without a passphrase', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(`HILUM_TLS_KEY: ${keyFile} is not the key of the certificate ${certFile}.`)
  return { cert, key }
}

/**
 * The certificate authorities in the file that a setting names, PEM each.
 * @throws ConfigError naming the setting, when the file cannot be read or holds none
 */
export async function readAuthorities(setting: SettingName, file: string): Promise<string[]> {
  const blocks = (await read(setting, file)).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new ConfigError(`${setting}: ${file} holds no certificate in PEM form.`)
  for (const block of blocks) parsed(setting, file, 'certificates that can be read', () => new X509Certificate(block))
  return blocks
}

async function read(setting: SettingName, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${setting}: ${file} ${faultInWords(cause)}.`, { cause })
  }
}

function faultInWords(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return 'is not there'
  if (code === 'EACCES') return 'may not be read by this user'
  if (code === 'EISDIR') return 'is a folder'
  return `cannot be read (${code ?? String(error)})`
}

function parsed<Value>(setting: SettingName, file: string, kind: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (cause) {
    throw new ConfigError(`${setting}: ${file} does not hold ${kind} in PEM form.`, { cause })
  }
}
