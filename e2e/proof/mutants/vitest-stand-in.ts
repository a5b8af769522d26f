/**
 * Stands in for `vitest` while small breaks are tried: tests are collected once and run as often as there are breaks,
 * which takes milliseconds for each instead of a process. Knows as much of Vitest as the tests of the subjects use.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { format } from 'node:util'

type Act = (...values: never[]) => unknown

interface Suite {
  names: readonly string[]
  beforeAll: Act[]
  afterAll: Act[]
  beforeEach: Act[]
  afterEach: Act[]
  above: Suite | undefined
  isBegun: boolean
}

export interface CollectedTest {
  id: string
  file: string
  suite: Suite
  run: () => unknown
}

const waitingLimitMs = 1000
interface Waiting {
  timeout?: number
  interval?: number
}

async function waitFor<Found>(ask: () => Found | Promise<Found>, given: Waiting | number = {}): Promise<Found> {
  const { timeout = waitingLimitMs, interval = 50 } = typeof given === 'number' ? { timeout: given } : given
  const deadline = Date.now() + timeout
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(interval)
    }
  }
}

async function waitUntil<Found>(ask: () => Found | Promise<Found>, given: Waiting | number = {}): Promise<Found> {
  return waitFor(async () => {
    const found = await ask()
    if (!found) throw new Error('It did not come about in time')
    return found
  }, given)
}

const real = (await import(join(process.env['HILUM_MUTANTS_ROOT'] ?? '', 'node_modules/vitest/dist/index.js'))) as {
  expect: Expect
  vi: object
}
type Expect = ((value: unknown, message?: string) => Record<string, Act>) & Record<string, unknown>

let file = ''
let suite: Suite = makeSuite('', undefined)
let tests: CollectedTest[] = []
let finishing: Act[] = []
const provided = new Map<string, unknown>()

function makeSuite(name: string, above: Suite | undefined): Suite {
  const names = [...(above?.names ?? []), name]
  return { names, above, isBegun: false, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] }
}

/** Gives the tests of a file, and the suite of the whole file. */
export async function collect(name: string, load: () => Promise<unknown>): Promise<[CollectedTest[], Suite]> {
  file = name
  tests = []
  const whole = makeSuite(name, undefined)
  suite = whole
  await load()
  return [tests, whole]
}

/** @throws what the test throws, and what its hooks do */
export async function runOnce(test: CollectedTest): Promise<void> {
  const suites = suitesOf(test)
  for (const one of suites) {
    if (one.isBegun) continue
    one.isBegun = true
    for (const act of one.beforeAll) await act()
  }
  finishing = []
  try {
    for (const act of suites.flatMap((one) => one.beforeEach)) await act()
    await test.run()
  } finally {
    for (const act of [...finishing.toReversed(), ...suites.toReversed().flatMap((one) => one.afterEach)]) await act()
  }
}

/** Ends what a file's tests have opened. */
export async function leave(tests: readonly CollectedTest[], whole: Suite): Promise<void> {
  const all = new Set([whole, ...tests.flatMap((test) => suitesOf(test).toReversed())])
  for (const act of [...all].toReversed().flatMap((one) => one.afterAll.toReversed())) await act()
}

function suitesOf({ suite: own }: CollectedTest): Suite[] {
  const found: Suite[] = []
  for (let one: Suite | undefined = own; one; one = one.above) found.unshift(one)
  return found
}

export function provide(name: string, value: unknown): void {
  provided.set(name, value)
}

export const inject = (name: string): unknown => provided.get(name)
export const beforeAll = (act: Act) => void suite.beforeAll.push(act)
export const afterAll = (act: Act) => void suite.afterAll.push(act)
export const beforeEach = (act: Act) => void suite.beforeEach.push(act)
export const afterEach = (act: Act) => void suite.afterEach.push(act)
export const onTestFinished = (act: Act) => void finishing.push(act)
/** Waits as Vitest's own does, which asks its runner for how long. */
export const vi = Object.assign(Object.create(real.vi), { waitFor, waitUntil })
export const expect = Object.assign((value: unknown, message?: string) => real.expect(value, message), real.expect, {
  poll,
})

type Declare = (name: string, act: Act, options?: unknown) => void

function declaring(declare: Declare) {
  const each =
    (table: readonly unknown[]) =>
    (name: string, act: Act): void => {
      for (const row of table) {
        const values = (Array.isArray(row) ? row : [row]) as never[]
        declare(format(name, ...values), () => act(...values))
      }
    }
  const skip = () => undefined
  const when = (isRun: boolean) => (isRun ? made : Object.assign(skip, { each: () => skip }))
  const made = Object.assign(declare, {
    each,
    skip,
    runIf: (fact: unknown) => when(Boolean(fact)),
    skipIf: (fact: unknown) => when(!fact),
  })
  return made
}

export const describe = declaring((name, act) => {
  const above = suite
  suite = makeSuite(name, above)
  act()
  suite = above
})
export const it = declaring((name, act) => {
  const id = [...suite.names, `${tests.length + 1} ${name}`].join(' > ')
  tests.push({ id, file, suite, run: () => act() })
})
export const test = it

const pollLimitMs = 5000

/** `expect.poll(ask).toBe(…)`, without `not`. */
function poll(ask: () => unknown) {
  const attempt = (matcher: string) => {
    return async (...values: never[]) => {
      const deadline = Date.now() + pollLimitMs
      for (;;) {
        try {
          await real.expect(await ask())[matcher]?.(...values)
          return
        } catch (error) {
          if (Date.now() > deadline) throw error
          await sleep(20)
        }
      }
    }
  }
  return new Proxy({}, { get: (_, matcher) => attempt(String(matcher)) })
}
