import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Log } from './log.ts'

/** Messages to systemd about this process; none where systemd did not start it, or does not wait for them. */
export interface ServiceManager {
  ready: (status: string) => Promise<void>
  stopping: () => Promise<void>
  close: () => void
}

const patienceMs = 10_000
const program = 'systemd-notify'

/**
 * Tells systemd (`Type=notify`) by its program `systemd-notify`, since Node opens no Unix datagram socket by itself.
 * With `WatchdogSec` it is told twice in that time that this process still takes its turns; a process that hangs says
 * nothing and is started anew. The database has a supervision of its own and does not count here.
 */
export function findServiceManager(log: Log, environment: NodeJS.ProcessEnv = process.env): ServiceManager {
  const isAwaited = (environment['NOTIFY_SOCKET'] ?? '') !== ''
  let beat: NodeJS.Timeout | undefined
  const tell = async (...states: string[]) => {
    if (!isAwaited) return
    try {
      await promisify(execFile)(program, states, { env: environment, timeout: patienceMs })
    } catch (error) {
      log.error({ event: 'systemd not told', states, err: error })
    }
  }
  return {
    ready: async (status) => {
      await tell('READY=1', `STATUS=${status}`)
      const limitMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1000
      if (isAwaited && limitMs > 0) beat = setInterval(() => void tell('WATCHDOG=1'), limitMs / 2)
    },
    stopping: () => tell('STOPPING=1'),
    close: () => clearInterval(beat),
  }
}
