import type { auditCheck } from '@hilum/contract/calls/audit'
import type { OutputOf } from '@hilum/contract/call'
import type { Handler } from '../handler.ts'
import { writeAudit } from './audit.sql.ts'
import { type AuditFault, verifyAudit } from './verify-audit.command.ts'

const maxListed = 100

/** Checks that run, by account: who asks meanwhile is given the result of the same one, since it reads every row. */
const running = new Map<string, Promise<OutputOf<typeof auditCheck>>>()

export const check: Handler<typeof auditCheck> = async ({ services, caller, on }) => {
  const { accountUuid } = on
  const result = await (running.get(accountUuid) ?? begin())
  await writeAudit(services.db, {
    accountUuid,
    caller,
    action: 'AUDIT_CHECK',
    type: 'Audit',
    detail: { rows: result.rows, faults: result.fault_count, seal: result.seal_number, digest: result.seal_digest },
  })
  return result

  function begin() {
    const begun = checkAccount().finally(() => running.delete(accountUuid))
    running.set(accountUuid, begun)
    return begun
  }

  async function checkAccount() {
    const listed: AuditFault[] = []
    const keep = (fault: AuditFault) => {
      if (listed.length < maxListed) listed.push(fault)
    }
    const { rows, unsealed, faults, chains } = await verifyAudit(services.db, keep, accountUuid)
    const [end] = chains
    return {
      rows,
      unsealed,
      fault_count: faults,
      // the account is the reader's own
      faults: listed.map(({ kind, what }) => ({ kind, what: what.replaceAll(`${accountUuid} `, '') })),
      seal_number: end?.number ?? 0,
      seal_digest: end?.digest ?? '',
    }
  }
}
