import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { shotFolder } from './shots.ts'
import { openBrowser, openPerson, type Person, type PersonOptions } from './open-browser.ts'
import { startDemo, startDemoTwice } from './start-demo.ts'
import { type RunningServer, startServer } from './start-server.ts'

export interface System {
  server: () => RunningServer
  /** A new person with a browser of their own, closed after the test. */
  newPerson: (options?: PersonOptions) => Promise<Person>
}

/**
 * One server, or two that are one, and one browser for the tests of a file. After each test every person's browser is closed, and the test
 * fails when one of them saw a fault.
 * @param makeSettings runs before the server starts
 * @param args of the server's command
 * @param processes servers over the same data, each of which answers every second request; HILUM_E2E_PROCESSES=2 makes it
 *   two where nothing is said
 */
export function useSystem(
  makeSettings: () => Promise<Record<string, string>> = async () => ({}),
  args: readonly string[] = [],
  processes: 1 | 2 = process.env['HILUM_E2E_PROCESSES'] === '2' ? 2 : 1,
): System {
  let server: RunningServer | undefined
  let browser: Browser | undefined
  let people: Person[] = []
  const opened = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('The system is not started')
    return thing
  }
  const begin = (settings: Record<string, string>) => {
    if (args.length > 0) return startServer(settings, args)
    return processes === 2 ? startDemoTwice(settings) : startDemo(settings)
  }
  beforeAll(async () => {
    const settings = await makeSettings()
    server = await begin(settings)
    browser = await openBrowser()
  })
  afterEach(async ({ task }) => {
    const before = people
    people = []
    if (task.result?.state === 'fail') {
      for (const [k, { page }] of before.entries())
        await page.screenshot({ path: join(shotFolder, `failed-${slugOf(task.name)}-${k + 1}.png`) })
    }
    for (const { context } of before) await context.close()
    expect(server?.findDeath()).toBeUndefined()
    const faults = before.flatMap((person) => person.faults)
    expect(faults, faults.join('\n')).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  return {
    server: () => opened(server),
    newPerson: async (options) => {
      // through another line to the server, where the person has one
      const person = await openPerson(opened(browser), options?.baseURL ?? opened(server).address, options)
      people.push(person)
      return person
    },
  }
}

/** `useSystem` with two processes over the same data, in every run. */
export function useSystemOfTwo(makeSettings?: () => Promise<Record<string, string>>): System {
  return useSystem(makeSettings, [], 2)
}

function slugOf(name: string): string {
  return name
    .replaceAll(/\[[^\]]*\]|\W+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 60)
}
