import { expect, it } from 'vitest'
import { openLog } from './log.ts'

/** The text that a log of this level writes for one line. */
function lineOf(write: (log: ReturnType<typeof openLog>) => void, level = 'info'): Record<string, unknown> {
  const lines: string[] = []
  write(openLog(level, { write: (line) => void lines.push(line) }))
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

it('writes the time as programs and people read it, and the name of the level', () => {
  const line = lineOf((log) => log.warn({ event: 'disk space', freeBytes: 5 }))
  expect(line).toEqual({ level: 'warn', time: expect.any(String), event: 'disk space', freeBytes: 5 })
  expect(new Date(String(line['time'])).toISOString()).toBe(line['time'])
})

const quoting = Object.assign(new Error('Doe^John is no date'), { code: '22007', detail: 'Doe^John' })

it.each<[string, Parameters<typeof lineOf>[0]]>([
  ['as a field', (log) => log.error({ event: 'failed', err: quoting })],
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
  expect(lineOf((log) => log.warn({ event: 'late', sid: 'secret', asked: { sid: 'secret' } }))).toEqual({
    level: 'warn',
    time: expect.any(String),
    event: 'late',
    asked: {},
  })
})
