import { readConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { say } from './say.ts'

const waitMs = 8_000
/** Addresses that mean every address of the machine, and the one by which the machine reaches itself. */
const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Asks the Hilum of this machine whether it is ready, for supervisors that know commands alone. */
export async function ready(args: string[]): Promise<number> {
  if (args.length > 0) throw new CommandError('hilum ready takes no more words')
  const { host, port } = readConfig().http
  const name = anyAddress[host] ?? host
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}/health/ready`
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(waitMs) })
    await reply.arrayBuffer()
    say(reply.ok ? `${address}: ready.` : `${address}: not ready (${reply.status}).`)
    return reply.ok ? 0 : 1
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    say(`${address}: no answer (${cause instanceof Error ? cause.message : String(cause)}).`)
    return 1
  }
}
