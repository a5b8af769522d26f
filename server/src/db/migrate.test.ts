import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { migrationNames } from './migrate.ts'

it('names the steps in the order in which they are taken, so that a database is known again at the next start', () => {
  expect(migrationNames).toEqual(migrationNames.toSorted())
})

/** Tables whose triggers wait for the commit, during which PostgreSQL refuses to change their shape (docs/decisions/0115). */
const deferred = ['namespace', 'account', 'account_user', 'app_group', 'group_user', 'role', 'setting', 'app_user']

/** Whether a step leaves triggers waiting, on which a later step of the same upgrade would fail. */
function hasTriggersWaiting(text: string): boolean {
  const changes = new RegExp(
    `\\b(insert\\s+into|update|delete\\s+from|merge\\s+into)\\s+(only\\s+)?(${deferred.join('|')})\\b`,
    'gi',
  )
  const last = [...text.matchAll(changes)].filter(({ index }) => !isTrigger(text, index)).at(-1)
  return last !== undefined && !/set\s+constraints\s+all\s+immediate/i.test(text.slice(last.index))
}

/** The kind of change that a trigger listens to is written the same way. */
const isTrigger = (text: string, index: number) => /\b(after|before|or)\s+$/i.test(text.slice(0, index))

it('leaves no trigger waiting after a step that changes people, places, roles or settings', async () => {
  const later = migrationNames.filter((name) => name > '0185-rights-epoch')
  const waiting: string[] = []
  for (const name of later) {
    const text = await readFile(new URL(`./migrations/${name}.ts`, import.meta.url), 'utf8')
    if (hasTriggersWaiting(text)) waiting.push(name)
  }
  expect(waiting).toEqual([])
  const change = 'update only app_user set email = lower(email)'
  expect(
    [change, `${change}; set constraints all immediate`, 'update order_step set x = 1'].map(hasTriggersWaiting),
  ).toEqual([true, false, false])
})
