import { addressOf } from '@hilum/contract/route'
import { healthReady } from '@hilum/contract/routes/others'
import { isMarkup } from './is-login-page.ts'

const PATIENCE_MS = 5_000

/** Gateways answer so when nobody stands behind them, and the server while its database is away. */
export const AWAY: readonly number[] = [502, 503, 504]

/**
 * Whether the server answers at this moment and is ready to work. A network that the browser takes for up may lead
 * nowhere, or to a network that answers everything with the page of its sign-in; a proxy that keeps the address of health
 * to itself proves that somebody is there.
 */
export async function isServerReady(credentials: RequestCredentials = 'omit'): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const reply = await fetch(addressOf(healthReady, {}, {}), {
      signal,
      cache: 'no-store',
      credentials,
      redirect: 'manual',
    })
    const body = await reply.text() // a body that nobody reads holds a connection
    const isPortal = reply.status === 511 || (reply.status < 400 && isMarkup(body))
    return reply.type !== 'opaqueredirect' && !isPortal && !AWAY.includes(reply.status)
  } catch {
    return false // refused, cut off or silent: all of them mean that it cannot be reached
  }
}

/** Connections that browsers hold to one server. */
const HELD_CONNECTIONS = 6

/**
 * Ends connections that a silent network has killed and that the browser still holds for later: each takes a question,
 * and ends with its patience. Requests with and without credentials have connections of their own.
 */
export function endDeadConnections(): void {
  for (const credentials of ['omit', 'same-origin'] as const)
    for (let held = 0; held < HELD_CONNECTIONS; held++) void isServerReady(credentials)
}
