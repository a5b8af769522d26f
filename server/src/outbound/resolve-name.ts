import { lookup } from 'node:dns/promises'

export interface ResolvedAddress {
  address: string
  family: number
}

/**
 * Addresses of a host name. The limits of the system's resolver are its own, and may be a minute.
 * @throws the reason of `signal` once it aborts
 */
export async function resolveName(name: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([lookup(name, { all: true }), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
