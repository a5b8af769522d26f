import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'
import { type AlarmAt, adviceOn, type NoteEvent } from './log-events.ts'

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
    hooks: { logMethod: asEvent },
    redact: { paths: ['sid', '*.sid', 'req', 'res'], remove: true },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * Every line as an event with advice. Libraries pass words, an error alone, or its message beside it: their errors lose
 * the message, and their lines become events of the library.
 */
function asEvent(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const isAlarm = level >= pino.levels.values['warn']!
  const [first, words] = args as [unknown, unknown?]
  const given = first instanceof Error ? { err: first } : typeof first === 'object' ? first : {}
  const line: Record<string, unknown> = { event: isAlarm ? 'library warning' : 'library', ...given }
  const advice = isAlarm ? (line['advice'] ?? adviceOn(line['event'])) : undefined
  if (advice !== undefined) line['advice'] = advice
  const said = typeof first === 'string' ? first : 'err' in line ? undefined : words
  method.apply(this, typeof said === 'string' ? [line, said] : [line])
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
