import { isIP } from 'node:net'
import { resolveName } from '../../outbound/resolve-name.ts'

/** A peer waits for its answer meanwhile. */
const RESOLVE_MS = 5_000

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

/** Whether a machine, named by its host name or IP address, has this IP address; not, where its name is not resolved in time. */
export async function isAddress(host: string, address: string): Promise<boolean> {
  if (isIP(host) !== 0) return host === address
  const found = await resolveName(host, AbortSignal.timeout(RESOLVE_MS)).catch(() => [])
  return found.some((one) => one.address === address)
}
