import { foldId } from '@hilum/dicom/fold-id'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/test-app.ts'

const { services } = await startTestApp()

/** Letters that a number may hold, but for the youngest, which not every PostgreSQL knows. */
const letters = Array.from({ length: 0x10_000 - 0x20 }, (_, at) => String.fromCodePoint(at + 0x20)).filter(
  (one) => !/\p{Surrogate}|\p{Co}|\p{Cn}|[\u1c89\u1c8a\ua7c0-\ua7ff]/u.test(one),
)

it('folds ids in the database as far as the comparison of people does', async () => {
  const { rows } = await sql<{ id: string; folded: string }>`
    select id, folded_id(id) as folded from unnest(${letters.map((one) => `1${one}2`)}::text[]) as id
  `.execute(services.db)
  expect(rows).toHaveLength(letters.length)
  const foldedBy = new Map(rows.map(({ id, folded }) => [id, folded]))
  const alike = Map.groupBy(rows, ({ id }) => foldId(id))
  const apart = [...alike].flatMap(([key, group]) =>
    new Set(group.map(({ id }) => foldedBy.get(id))).size > 1 ? [[key, group.map(({ id }) => id)]] : [],
  )
  expect(apart).toEqual([])
})

it('folds blanks at the ends of ids away', async () => {
  const blanks = letters.filter((one) => one.trim() === '')
  const { rows } = await sql<{ folded: string }>`
    select folded_id(id) as folded
    from unnest(${['a', ...blanks.map((one) => `${one} a${one}`), ...'\t\n\v\f\r'].map(String)}::text[]) as id
  `.execute(services.db)
  expect(new Set(rows.slice(0, blanks.length + 1).map(({ folded }) => folded))).toEqual(new Set(['a']))
  expect(new Set(rows.slice(blanks.length + 1).map(({ folded }) => folded))).toEqual(new Set(['']))
})
