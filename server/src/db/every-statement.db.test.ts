import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DescribedColumn, describeColumns } from '../../test/described-statement.ts'
import { freshDatabase } from '../../test/fresh-database.ts'
import { type Round, valueMaker } from '../../test/made-argument.ts'
import { columnsOfOuterJoins, hasOuterJoin } from '../../test/outer-joins.ts'
import { type AskedStatement, recordingDatabase } from '../../test/recording-database.ts'
import { findMisfits } from '../../test/row-fit.ts'
import { readWrittenSql, type WrittenFunction } from '../../test/source-types.ts'

/** Files whose statements are no such templates, and where they are tried. */
const otherwise = {
  'backup/tables.sql.ts': 'speaks on a connection of its own; export and import run all of it on a whole installation',
}

/** Files with a statement whose rows are of a type that its callers name: its columns are held against nothing. */
const ofCallers = {
  'areas/dicomweb/qido.sql.ts': 'studies, series and instances are counted by one statement around three questions',
}

/** Nullability that PostgreSQL cannot see: `file column`, and why the row type is right. */
const known: Record<string, string> = {
  'areas/event/event.sql.ts namespace_uuid': 'every event is written with the place that it happened in',
  'areas/event/event.sql.ts uuid': 'every event is written with what it is about',
  'areas/job/work.sql.ts worker': 'work that runs has a worker, and only such work is asked for',
  'areas/push/push.sql.ts uuid': 'acts of nobody are left out',
  'areas/session/ended-sign-in.sql.ts user_uuid': 'links open no session by a password or a provider',
  'areas/session/key.sql.ts permissions': 'sessions of keys are made with their permissions',
  'areas/study/ended-sources.sql.ts share_uuid': 'the recursion begins at shares and goes on from them',
  'areas/study/share.sql.ts by_user': 'every share is entered with its sharer',
  'areas/study/waiting-record.sql.ts by_user': 'every share is entered with its sharer',
}

/** Enough for every branch that a statement stands behind, and for most of the pieces it is put together from. */
const rounds = 24

const { url } = await freshDatabase()
const client = new pg.Client({ connectionString: url })
await client.connect()
const written = readWrittenSql()
const make = valueMaker(written.checker)
const rowsOf = Map.groupBy(written.statements, (one) => one.parts)
/** The texts in which each written statement was asked, and PostgreSQL's word for each text. */
const texts = new Map<string, Set<string>>()
const described = new Map<string, DescribedColumn[] | Error>()

afterAll(async () => {
  written.close()
  await client.end()
})

beforeAll(async () => {
  for (const one of written.functions) {
    const { [one.name]: act } = (await import(one.file)) as Record<string, (...given: unknown[]) => unknown>
    if (!act) throw new Error(`${one.file} does not export ${one.name}.`)
    for (let number = 0; number < rounds; number++) await tryOnce(one, act, number)
  }
}, 300_000)

/** Runs a function with made values, and answers its statements with made rows: some rounds with, some without. */
async function tryOnce({ parameters }: WrittenFunction, act: (...given: unknown[]) => unknown, number: number) {
  let count = 0
  const round: Round = {
    number,
    db: recordingDatabase(async (asked) => {
      await keep(asked)
      const hasRow = [true, false, count % 2 === 0, count % 2 === 1][number % 4]
      count++
      const row = rowsOf.get(asked.parts)?.[0]?.row
      return hasRow ? [row ? make(row, round, 'row') : {}] : []
    }),
  }
  try {
    const answer = await act(...parameters.map((one) => make(one.type, round, one.name)))
    if (answer instanceof Object && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>) if (count > 4) break
  } catch {
    // made values need not please anybody: what counts is which statements were asked for until then
  }
}

async function keep({ text, parts }: AskedStatement): Promise<void> {
  texts.set(parts, (texts.get(parts) ?? new Set()).add(text))
  if (described.has(text)) return
  described.set(text, await describeStatement(text).catch((error: Error) => error))
}

async function describeStatement(text: string): Promise<DescribedColumn[]> {
  const columns = (await describeColumns(client, text)).map((one) =>
    text.includes(`${one.name} is not null`) ? { ...one, isNullable: null } : one,
  )
  if (!hasOuterJoin(text)) return columns
  const missing = await columnsOfOuterJoins(client, text)
  // where conditions make an inner join of an outer one, a row type may be that of the other statements too
  return columns.map((one, at) => (one.isNullable === false ? { ...one, isNullable: missing.has(at) || null } : one))
}

describe('every statement', () => {
  it('is a template that is executed where it stands', () => {
    expect(written.otherFiles).toEqual(Object.keys(otherwise))
  })

  it('is reached', () => {
    expect(written.statements.length).toBeGreaterThan(500)
    expect(written.statements.filter((one) => !texts.has(one.parts)).map((one) => one.place)).toEqual([])
  })

  it('is one that PostgreSQL takes', () => {
    const refused = [...described].flatMap(([text, answer]) =>
      answer instanceof Error ? [`${answer.message}: ${text}`] : [],
    )
    expect(refused).toEqual([])
  })

  it('gives the columns that its row type declares', () => {
    const fileOf = (place: string) => place.replace(/:\d+$/, '')
    const open = written.statements.filter((one) => one.row?.isTypeParameter()).map((one) => fileOf(one.place))
    expect(open).toEqual(Object.keys(ofCallers))
    const misfits = written.statements.flatMap(({ place, parts, row }) =>
      [...(texts.get(parts) ?? [])].flatMap((text) => {
        const columns = described.get(text)
        return row && Array.isArray(columns)
          ? findMisfits(written.checker, row, columns).map((one) => ({ place, ...one }))
          : []
      }),
    )
    const nameOf = ({ place, column }: (typeof misfits)[number]) => `${fileOf(place)} ${column}`
    const unknown = misfits.filter((one) => !(one.isAboutNull && nameOf(one) in known))
    expect([...new Set(unknown.map((one) => `${one.place} ${one.words}`))]).toEqual([])
    // columns that were settled since are taken off the list
    expect(Object.keys(known).filter((name) => !misfits.some((one) => nameOf(one) === name))).toEqual([])
  })
})
