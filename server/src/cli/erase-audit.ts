import { parseArgs } from 'node:util'
import { eraseDetails } from '../areas/audit/erase-details.command.ts'
import { readConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { assertPresentSchema, openInstallation } from './open-installation.ts'
import { say } from './say.ts'

/** Empties the details of audit rows, named by their numbers, and puts on record that and why it was done. */
export async function eraseAudit(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { reason: { type: 'string' } } })
  const ids = positionals.map(Number)
  if (ids.length === 0 || !ids.every((id) => Number.isSafeInteger(id) && id > 0) || !values.reason?.trim())
    throw new CommandError('Name the audit rows by their numbers, and a reason: hilum erase-audit --reason "…" 17 18')
  await using installation = await openInstallation(readConfig())
  await assertPresentSchema(installation.db)
  const erased = await eraseDetails(installation.db, ids, values.reason.trim())
  say(`The details of ${erased} of ${ids.length} audit rows were erased.`)
  return erased === ids.length ? 0 : 1
}
