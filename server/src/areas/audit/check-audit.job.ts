import type { JobActs } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { countRowsToCheck, endCheck, findCheck, noteCheckProgress } from './audit-check.sql.ts'
import { writeAudit } from './audit.sql.ts'
import { type AuditFault, verifyAudit } from './verify-audit.command.ts'

const maxListed = 100
/** Milliseconds between two notes of the progress. */
const noteEveryMs = 1000

/** Holds the audit of an account against its seals, and puts the check on record. A run that broke off begins anew. */
export const checkAuditActs: JobActs<PayloadOf<'checkAudit'>> = {
  run: async ({ db }, { checkUuid, accountUuid }, { signal }) => {
    const check = await findCheck(db, accountUuid)
    if (check?.uuid !== checkUuid || check.state !== 'running') return
    const total = await countRowsToCheck(db, accountUuid)
    await noteCheckProgress(db, checkUuid, 0, total)
    let notedAt = performance.now()
    const listed: AuditFault[] = []
    const list = (fault: AuditFault) => {
      if (listed.length < maxListed) listed.push(fault)
    }
    const note = async (done: number) => {
      signal.throwIfAborted()
      if (performance.now() - notedAt < noteEveryMs) return
      notedAt = performance.now()
      await noteCheckProgress(db, checkUuid, done, total)
    }
    const { rows, unsealed, faults, chains } = await verifyAudit(db, list, accountUuid, note)
    const [end] = chains
    const result = {
      rows,
      unsealed,
      fault_count: faults,
      // the account is the reader's own
      faults: listed.map(({ kind, what }) => ({ kind, what: what.replaceAll(`${accountUuid} `, '') })),
      seal_number: end?.number ?? 0,
      seal_digest: end?.digest ?? '',
    }
    await db.transaction().execute(async (tx) => {
      if (!(await endCheck(tx, checkUuid, { state: 'done', result }))) return
      await writeAudit(tx, {
        accountUuid,
        caller: { userUuid: check.user_uuid, name: check.user_name, clientAddress: check.client_address },
        action: 'AUDIT_CHECK',
        type: 'Audit',
        detail: { rows, faults, seal: result.seal_number, digest: result.seal_digest },
      })
    })
  },
  giveUp: async (tx, { checkUuid }) => {
    await endCheck(tx, checkUuid, { state: 'failed' })
    return undefined
  },
}
