import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'

/**
 * The process's log: time (ISO 8601, UTC), name of the level, an event name and fields, one JSON line each. No patient data and no sid get in: of an error only
 * its class, its code and the places in our code are kept, as messages of the database and of parsers quote values.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    // under a key that no line has: pino writes the message of an error that it finds there
    errorKey: 'errorWithMessage',
    hooks: { logMethod: withoutErrorMessage },
    redact: { paths: ['sid', '*.sid', 'req', 'res'], remove: true },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Libraries pass an error alone, or its message beside it. */
function withoutErrorMessage(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first] = args as [unknown]
  if (first instanceof Error) method.call(this, { err: first })
  else if (typeof first === 'object' && first !== null && 'err' in first) method.call(this, first)
  else method.apply(this, args)
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
