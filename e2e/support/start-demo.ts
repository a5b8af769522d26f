import { inject } from 'vitest'
import { startAlternating } from './alternate.ts'
import { type RunningServer, startBeside, startServer } from './start-server.ts'

/** The settings for a second process: one port serves one process alone, and 0 takes any other. */
function besideOf(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, name.endsWith('_PORT') ? '0' : value]),
  )
}

/** Starts the whole product over a copy of the data with the demo that were made once for all files. */
export function startDemo(settings: Record<string, string> = {}): Promise<RunningServer> {
  return startServer(settings, [], inject('demoFolder'))
}

/**
 * Starts the demo as two processes over one database and one store, behind one address whose requests go to the one and
 * the other in turns.
 */
export async function startDemoTwice(settings: Record<string, string> = {}): Promise<RunningServer> {
  const first = await startDemo(settings)
  const second = await startBeside(first, besideOf(settings)).catch(async (error: unknown) => {
    await first.close()
    throw error
  })
  const both = await startAlternating([first.address, second.address])
  const inTurn = async (act: (server: RunningServer) => Promise<void>, servers = [first, second]) => {
    for (const server of servers) await act(server)
  }
  return {
    ...first,
    address: both.address,
    log: () => `${first.log()}\n${second.log()}`,
    findDeath: () => first.findDeath() ?? second.findDeath(),
    // the first has the database
    kill: () => inTurn((server) => server.kill(), [second, first]),
    start: () => inTurn((server) => server.start()),
    stop: () => inTurn((server) => server.stop(), [second, first]),
    close: async () => {
      await both.close()
      const asked = both.countAsked()
      try {
        await second.close()
      } finally {
        await first.close()
      }
      if (asked.includes(0)) throw new Error(`Not every process was asked: ${asked.join(', ')} requests`)
    },
  }
}
