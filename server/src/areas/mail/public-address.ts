import type { ScreenAddress } from '@hilum/contract/screens'
import os from 'node:os'
import type { Config } from '../../config.ts'
import type { Origin } from '../handler.ts'

/**
 * The address that a mail leads to: HILUM_PUBLIC_URL, else the one that was asked, but only when it is this machine's
 * own. The Host of a request is the client's word, and a mailed link must not lead to where a stranger wants it.
 */
export function publicAddress(
  config: Pick<Config, 'publicUrl' | 'http'>,
  origin: Pick<Origin, 'host' | 'isHttps'>,
): string {
  if (config.publicUrl) return config.publicUrl
  if (isOwnName(origin.host)) return `${origin.isHttps ? 'https' : 'http'}://${origin.host}`
  const { host, port } = config.http
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? os.hostname() : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The page on which the holder of a token chooses a new password. */
export function resetAddress(...[config, origin, token]: [...Parameters<typeof publicAddress>, token: string]): string {
  return screenAt(publicAddress(config, origin), '/reset-password/$token', { token })
}

/** A screen of the web app under the installation's address; `parts` fill what its address leaves open by name. */
export function screenAt(address: string, screen: ScreenAddress, parts: Readonly<Record<string, string>> = {}): string {
  const path = screen.replaceAll(/\{-\$(\w+)\}|\$(\w+)/g, (_, optional: string, name: string) =>
    encodeURIComponent(parts[optional ?? name] ?? ''),
  )
  return `${address}${path}`
}

function isOwnName(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
  const addresses = Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address))
  return name === 'localhost' || name === os.hostname().toLowerCase() || addresses.includes(name)
}
