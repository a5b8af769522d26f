import { createServer } from 'node:net'
import type { settings } from '../../settings.ts'

/** A listener could not be opened; the message names the setting and says what would do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Where a listener is opened. */
export interface ListenAddress {
  host: string
  port: number
}

type SettingName = keyof typeof settings

/**
 * Opens a listener.
 * @param named the settings that hold its address and its port
 * @throws ListenError when the system refuses address or port
 */
export async function openPort(
  place: ListenAddress,
  named: { host: SettingName; port: SettingName },
  open: () => Promise<unknown>,
): Promise<void> {
  try {
    await open()
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw cause
    throw new ListenError(await explain(code, place, named), { cause })
  }
}

async function explain(
  code: string,
  place: ListenAddress,
  named: { host: SettingName; port: SettingName },
): Promise<string> {
  const { host, port } = place
  if (code === 'EADDRINUSE') {
    const free = await findFreePort(place)
    const advice = free
      ? `Port ${free} is free: start with ${named.port}=${free}.`
      : `Set ${named.port} to another one.`
    return `Port ${port} of ${host} is taken by another program. ${advice}`
  }
  if (code === 'EACCES' || code === 'EPERM')
    return `${named.port}: this user may not listen at port ${port}. Ports below 1024 need CAP_NET_BIND_SERVICE, see docs/deploy.md.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${named.host}: no address is known for the name ${host}.`
  if (code === 'EADDRNOTAVAIL') return `${named.host}: ${host} is no address of this machine.`
  return `${named.host}: nothing can listen at ${host}, port ${port} (${code}).`
}

async function findFreePort({ host, port: taken }: ListenAddress): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + 50, 65_535); port++) {
    if (await isFree(host, port)) return port
  }
  return undefined
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
