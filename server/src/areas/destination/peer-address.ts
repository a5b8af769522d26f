import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/**
 * Whether a peer that calls us is a destination: by its AE title, or by its address, since some archives call under another
 * title than they answer to.
 */
export async function isPeerAt(
  destination: { aetitle: string; address: string },
  peer: { callingTitle: string; address: string },
): Promise<boolean> {
  return destination.aetitle === peer.callingTitle || (await isAddress(destination.address, peer.address))
}

/** Whether a machine, named by its host name or IP address, has this IP address. */
export async function isAddress(host: string, address: string): Promise<boolean> {
  if (isIP(host) !== 0) return host === address
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.some((one) => one.address === address)
}
