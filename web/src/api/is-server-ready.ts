import { addressOf } from '@hilum/contract/route'
import { healthReady } from '@hilum/contract/routes/others'

const PATIENCE_MS = 5_000

/** Gateways answer so when nobody stands behind them, and the server while its database is away. */
export const AWAY: readonly number[] = [502, 503, 504]

/**
 * Whether the server answers at this moment and is ready to work. A network that the browser takes for up may lead
 * nowhere; a proxy that keeps the address of health to itself proves that somebody is there.
 */
export async function isServerReady(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const reply = await fetch(addressOf(healthReady, {}, {}), { signal, cache: 'no-store', credentials: 'omit' })
    return !AWAY.includes(reply.status)
  } catch {
    return false // refused, cut off or silent: all of them mean that it cannot be reached
  }
}
