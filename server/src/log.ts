import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'
import { DatabaseAwayError } from './db/database-away.ts'
import { type AlarmAt, adviceOn, type NoteEvent } from './log-events.ts'
import { createRepeats, type TellRepeats } from './tell-repeats.ts'

interface Line<Event> {
  event: Event
  err?: unknown
  /** In place of the advice that every line of the event has. */
  advice?: string
  [field: string]: unknown
  /** Fields that each line has of itself: a second one in the same line would hide the first from whoever reads JSON. */
  level?: never
  time?: never
  msg?: never
}

/** The log of the process: takes events of `log-events.ts` alone, each at its level. */
export interface Log {
  debug: (line: Line<NoteEvent>) => void
  info: (line: Line<NoteEvent>) => void
  warn: (line: Line<AlarmAt<'warn'>>) => void
  error: (line: Line<AlarmAt<'error'>>) => void
}

/**
 * The process's log: time (ISO 8601, UTC), name of the level, an event name and fields, from warn up with the advice of
 * the event, one JSON line each. No patient data and no sid get in: of an error only
 * its class, its code and the places in our code are kept, as messages of the database and of parsers quote values.
 * While the database is away, each event that comes of this is written once a minute, with its number (`count`).
 */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    // under a key that no line has: pino writes the message of an error that it finds there
    errorKey: 'errorWithMessage',
    hooks: { logMethod: asEventOf(createRepeats()) },
    redact: { paths: ['sid', '*.sid', 'req', 'res'], remove: true },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Events that come once for each request or connection while the database is away, whatever their error. */
const eventsOfAway: readonly unknown[] = ['request met no database', 'database connection lost']

/**
 * Every line as an event with advice. Libraries pass words, an error alone, or its message beside it: their errors lose
 * the message, and their lines become events of the library.
 */
function asEventOf(tellRepeats: TellRepeats) {
  return function asEvent(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const isAlarm = level >= pino.levels.values['warn']!
    const [first, words] = args as [unknown, unknown?]
    const given = first instanceof Error ? { err: first } : typeof first === 'object' ? first : {}
    const line: Record<string, unknown> = { event: isAlarm ? 'library warning' : 'library', ...given }
    const advice = isAlarm ? (line['advice'] ?? adviceOn(line['event'])) : undefined
    if (advice !== undefined) line['advice'] = advice
    const said = typeof first === 'string' ? first : 'err' in line ? undefined : words
    const write = (more?: object) => {
      const whole = { ...line, ...more }
      method.apply(this, typeof said === 'string' ? [whole, said] : [whole])
    }
    if (!isAlarm || !(eventsOfAway.includes(line['event']) || isOfAway(line['err']))) write()
    else tellRepeats(`${level} ${String(line['event'])}`, (count) => write(count > 1 ? { count } : undefined))
  }
}

/** Whether an error comes of a database that is away. */
function isOfAway(error: unknown): boolean {
  return (
    error instanceof DatabaseAwayError || (error instanceof Error && error.cause !== undefined && isOfAway(error.cause))
  )
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    kind: error.name,
    ...(code ? { code } : {}),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .map((line) => line.trim()),
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  }
}
