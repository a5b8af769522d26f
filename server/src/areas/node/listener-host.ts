import { BlockList, isIP } from 'node:net'

const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8)
thisMachine.addAddress('::1', 'ipv6')

/** Whether programs of this machine alone reach a listener at such an address. */
export function isLocalHost(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return thisMachine.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/** The address of a listener as others reach it; empty where it listens at all addresses of the machine. */
export function reachedHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '' : host
}
