import type { Logger } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { DatabaseAwayError } from './db/database-away.ts'
import { openLog } from './log.ts'

/** The text that a log of this level writes for one line. */
function lineOf(write: (log: Logger) => void, level = 'info'): Record<string, unknown> {
  const lines: string[] = []
  // what libraries are given
  write(openLog(level, { write: (line) => void lines.push(line) }) as Logger)
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

it('writes the time as programs and people read it, and the name of the level', () => {
  const line = lineOf((log) => log.warn({ event: 'disk space', freeBytes: 5 }))
  expect(line).toMatchObject({ level: 'warn', time: expect.any(String), event: 'disk space', freeBytes: 5 })
  expect(new Date(String(line['time'])).toISOString()).toBe(line['time'])
})

const quoting = Object.assign(new Error('Doe^John is no date'), { code: '22007', detail: 'Doe^John' })

it.each<[string, Parameters<typeof lineOf>[0]]>([
  ['as a field', (log) => log.error({ event: 'request failed', err: quoting })],
  ['alone', (log) => log.error(quoting)],
  ['with its message', (log) => log.error(quoting, quoting.message)],
  ['as a field, with its message', (log) => log.error({ err: quoting }, quoting.message)],
  ['as the cause of another', (log) => log.error({ err: new Error('outer', { cause: quoting }) })],
])('quotes nothing of an error that is given %s', (_, write) => {
  const line = lineOf(write)
  expect(line).toMatchObject({ level: 'error', err: { kind: 'Error' } })
  expect(JSON.stringify(line)).toContain('22007')
  expect(JSON.stringify(line)).not.toContain('Doe')
})

it('leaves out sids', () => {
  expect(lineOf((log) => log.warn({ event: 'mail not sent', sid: 'secret', asked: { sid: 'secret' } }))).toEqual({
    level: 'warn',
    time: expect.any(String),
    event: 'mail not sent',
    advice: expect.any(String),
    asked: {},
  })
})

it('tells what to do from warn up, and lets a line say more exactly', () => {
  const general = 'Make room on the disks of HILUM_DATA, or give them more. Uploads go on by themselves.'
  expect(lineOf((log) => log.warn({ event: 'disk space' }))).toMatchObject({ advice: general })
  expect(lineOf((log) => log.error({ event: 'disk space', advice: 'Now' }))).toMatchObject({ advice: 'Now' })
  expect(lineOf((log) => log.info({ event: 'request' }))).not.toHaveProperty('advice')
})

it.each<[string, Parameters<typeof lineOf>[0], object]>([
  ['words', (log) => log.info('Server listening'), { event: 'library', msg: 'Server listening' }],
  ['a warning', (log) => log.warn('FSTWRN003'), { event: 'library warning', msg: 'FSTWRN003' }],
  ['an error', (log) => log.error(quoting, quoting.message), { event: 'library warning', err: { code: '22007' } }],
])('makes %s of a library an event with advice', (_, write, line) => {
  const { advice, ...told } = lineOf(write)
  expect(told).toMatchObject(line)
  expect(advice === undefined).toBe(told['event'] === 'library')
})

it('takes no line whose event has no advice: it does not compile', () => {
  const log = openLog('silent')
  const writeUnknown = () => {
    // @ts-expect-error an event that no table has
    log.warn({ event: 'something odd' })
    // @ts-expect-error a line without an event
    log.error({ err: quoting })
    // @ts-expect-error an event of another level
    log.warn({ event: 'job failed' })
    // @ts-expect-error a field that would stand in place of the line's own
    log.warn({ event: 'mail not sent', level: 'full' })
  }
  expect(writeUnknown).not.toThrow()
})

afterEach(() => void vi.useRealTimers())

it('writes what comes of a database that is away once a minute for each event, with its number, and all else each time', () => {
  vi.useFakeTimers()
  const lines: { event: string; count?: number }[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line) as { event: string }) })
  const away = new Error('outer', { cause: new DatabaseAwayError('The database does not answer') })
  for (let time = 0; time < 20; time++) {
    log.warn({ event: 'request met no database', route: '/api/v3/study/list' })
    log.error({ event: 'store failed', err: away })
    log.error({ event: 'request failed', err: new Error('ours') })
  }
  const told = () => lines.splice(0).map(({ event, count }) => [event, count])
  expect(told()).toEqual([
    ['request met no database', undefined],
    ['store failed', undefined],
    ...Array.from({ length: 20 }, () => ['request failed', undefined]),
  ])
  vi.advanceTimersByTime(60_000)
  expect(told()).toEqual([
    ['request met no database', 19],
    ['store failed', 19],
  ])
  vi.advanceTimersByTime(60_000)
  expect(told()).toEqual([])
  log.warn({ event: 'request met no database' })
  expect(told()).toEqual([['request met no database', undefined]])
})
