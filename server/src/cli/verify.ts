import { parseArgs } from 'node:util'
import { type AuditFault, verifyAudit } from '../areas/audit/verify-audit.command.ts'
import { type StorageFault, verifyStorage } from '../areas/retention/verify-storage.command.ts'
import { readConfig } from '../config.ts'
import { assertPresentSchema, type Installation, openInstallation } from './open-installation.ts'
import { say } from './say.ts'

/**
 * Is everything that was stored still there, and still what it was? With `--audit`: are the audit rows what they were
 * when they were sealed?
 * @returns 0 when all is well, 1 when something is not
 */
export async function verify(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean' }, audit: { type: 'boolean' } } })
  await using installation = await openInstallation(readConfig())
  await assertPresentSchema(installation.db)
  // awaited here: the installation is closed when this function is left
  return await (values.audit ? verifyRows(installation) : verifyObjects(installation, values.quick ?? false))
}

const tell = ({ kind, what }: AuditFault) => say(`${kind}: ${what}`)

function tellWithHolders({ kind, what, holders = [] }: StorageFault): void {
  say([`${kind}: ${what}`, ...holders].join('\n    '))
}

async function verifyObjects(installation: Installation, isQuick: boolean): Promise<number> {
  const { objects, bytes, faults } = await verifyStorage(installation, {
    isQuick,
    now: new Date(),
    tell: tellWithHolders,
  })
  const looked = `${objects} objects, ${(bytes / 1024 ** 3).toFixed(2)} GB${isQuick ? ' (bytes not read)' : ''}`
  return sayVerdict(faults, looked)
}

async function verifyRows({ db }: Installation): Promise<number> {
  const { rows, unsealed, faults, chains } = await verifyAudit(db, tell)
  for (const { account_uuid, number, digest } of chains) say(`${account_uuid} ends with seal ${number} ${digest}`)
  const looked = `${rows} audit rows, ${unsealed} of them not sealed yet`
  return sayVerdict(faults, looked)
}

/** @returns the exit code */
function sayVerdict(faults: number, looked: string): number {
  if (faults === 0) say(`All is well: ${looked}.`)
  else say(`${faults} ${faults === 1 ? 'fault' : 'faults'} in ${looked}.`)
  return faults === 0 ? 0 : 1
}
