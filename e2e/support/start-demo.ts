import { inject } from 'vitest'
import { type RunningServer, startServer } from './start-server.ts'

/** Starts the whole product over a copy of the data with the demo that were made once for all files. */
export function startDemo(settings: Record<string, string> = {}): Promise<RunningServer> {
  return startServer(settings, [], inject('demoFolder'))
}
