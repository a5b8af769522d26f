import { isIPv4, isIPv6 } from 'node:net'

const networkGroups = 4

/**
 * The key for counting tries from an address: an IPv4 address, or the /64 of an IPv6 one, because a single subscriber
 * has all addresses of a /64 to try from.
 */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped) return mapped
  if (isIPv4(plain) || !isIPv6(plain)) return plain
  const [head = '', tail = ''] = plain.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
    .slice(0, networkGroups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
