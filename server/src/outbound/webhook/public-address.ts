import { BlockList, isIP } from 'node:net'
import { type ResolvedAddress, resolveName } from '../resolve-name.ts'

/** Networks that are no one's on the internet: loopback, private, link-local (cloud metadata), multicast, reserved. */
const blockedV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

const v4 = new BlockList()
for (const [net, bits] of blockedV4) v4.addSubnet(net, bits, 'ipv4')
/** Global unicast without documentation, Teredo and 6to4; all else, addresses that wrap one of IPv4 among it, is refused. */
const v6 = new BlockList()
v6.addSubnet('2000::', 3, 'ipv6')
const v6Inside = new BlockList()
v6Inside.addSubnet('2001::', 23, 'ipv6')
v6Inside.addSubnet('2001:db8::', 32, 'ipv6')
v6Inside.addSubnet('2002::', 16, 'ipv6')
v6Inside.addSubnet('3fff::', 20, 'ipv6')

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !v4.check(address, 'ipv4')
  return family === 6 && v6.check(address, 'ipv6') && !v6Inside.check(address, 'ipv6')
}

/** An address of an outside service that may not be called. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

/**
 * Addresses of a host; those of a name are asked for now, and the connection is made to what is returned here.
 * @throws PrivateAddressError when one of them is not public, unless `allowsPrivate`; the reason of `signal`
 */
export async function resolveHost(
  hostname: string,
  { allowsPrivate, signal }: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<ResolvedAddress[]> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(bare)
  const found = family ? [{ address: bare, family }] : await resolveName(bare, signal)
  if (!allowsPrivate && !found.every((one) => isPublicAddress(one.address))) throw new PrivateAddressError(hostname)
  return found
}
