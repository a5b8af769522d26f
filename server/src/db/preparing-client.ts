import pg from 'pg'
import { boundSilence } from './bound-silence.ts'
import { explainLoss } from './database-away.ts'

/**
 * How a statement begins that PostgreSQL is to parse and plan once for each connection. For short statements of fixed
 * text that run with every request or image: planning costs them more than running (measured at ingest: two thirds of
 * PostgreSQL's CPU). Not for searches, whose best plan depends on what is sought.
 */
const mark = '/* prepared */'

const names = new Map<string, string>()

interface PreparingConfig extends pg.ClientConfig {
  /** How long an answer may be owed in silence; without it, for ever. */
  silenceMs?: number | undefined
}

/**
 * A connection that gives marked statements a name, by which PostgreSQL knows them again, and that does not wait for
 * ever for a database that hangs.
 */
export class PreparingClient extends pg.Client {
  #isOwedNothing = false

  constructor(config: PreparingConfig = {}) {
    super(config)
    this.on('connect', () => (this.#isOwedNothing = true))
    this.on('drain', () => (this.#isOwedNothing = true))
    if (config.silenceMs !== undefined) boundSilence(this, config.silenceMs, () => this.#isOwedNothing)
    // The pool listens to idle connections only. One that is lost in the middle of a transaction fails that work, and
    // its error, heard by nobody, would end the process besides.
    this.on('error', () => undefined)
  }

  override query(...given: unknown[]): never {
    this.#isOwedNothing = false
    const [text, values, ...rest] = given
    const named =
      typeof text === 'string' && Array.isArray(values) && text.trimStart().startsWith(mark)
        ? [{ name: nameOf(text), text, values }, ...rest]
        : given
    // the parent's overloads say what comes back for which arguments
    const asked: unknown = (super.query as (...args: unknown[]) => unknown).apply(this, named)
    return (asked instanceof Promise ? asked.catch(throwLoss) : asked) as never
  }

  override end(...given: unknown[]): never {
    this.#isOwedNothing = false
    return (super.end as (...args: unknown[]) => unknown).apply(this, given) as never
  }
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `hilum_${names.size + 1}`
  names.set(text, name)
  return name
}

function throwLoss(error: unknown): never {
  throw explainLoss(error)
}
