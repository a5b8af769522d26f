import pino, { type Logger } from 'pino'

/**
 * The process's log: an event name and fields, one JSON line each. No patient data and no sid get in: of an error only
 * its class, its code and the places in our code are kept, as messages of the database and of parsers quote values.
 */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    serializers: { err: describeError },
    redact: { paths: ['sid', '*.sid', 'req', 'res'], remove: true },
  })
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
