import pg from 'pg'
import { explainLoss } from './database-away.ts'

/**
 * How a statement begins that PostgreSQL is to parse and plan once for each connection. For short statements of fixed
 * text that run with every request or image: planning costs them more than running (measured at ingest: two thirds of
 * PostgreSQL's CPU). Not for searches, whose best plan depends on what is sought.
 */
const mark = '/* prepared */'

const names = new Map<string, string>()

/** A connection that gives marked statements a name, by which PostgreSQL knows them again. */
export class PreparingClient extends pg.Client {
  constructor(...given: ConstructorParameters<typeof pg.Client>) {
    super(...given)
    // The pool listens to idle connections only. One that is lost in the middle of a transaction fails that work, and
    // its error, heard by nobody, would end the process besides.
    this.on('error', () => undefined)
  }

  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given
    const named =
      typeof text === 'string' && Array.isArray(values) && text.trimStart().startsWith(mark)
        ? [{ name: nameOf(text), text, values }, ...rest]
        : given
    // the parent's overloads say what comes back for which arguments
    const asked: unknown = (super.query as (...args: unknown[]) => unknown).apply(this, named)
    return (asked instanceof Promise ? asked.catch(throwLoss) : asked) as never
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
