import { randomUUID } from 'node:crypto'
import { formatStatus } from '@hilum/dicom/dimse/status'
import type { ArrivalOutcome } from '../ingest/arrived-image.ts'
import type { AssociationOutcome, AssociationRow, CalledNode, ReportedSender } from './node.sql.ts'

/** Kinds of failure, and of warning, kept of one association; more of them say nothing new. */
const MAX_KINDS = 20

/** Counts what one association brings, for its line in the list of transfers. */
export class AssociationReport {
  readonly uuid = randomUUID()
  readonly #began: Date
  readonly #counts = { stored: 0, duplicates: 0, conflicts: 0, failed: 0, bytes: 0 }
  readonly #failures = new Map<string, ReportedSender>()
  readonly #warnings = new Map<string, ReportedSender>()

  constructor(began: Date) {
    this.#began = began
  }

  countReceived(outcome: ArrivalOutcome, bytes: number): void {
    this.#counts.bytes += bytes
    if (outcome === 'duplicate') this.#counts.duplicates += 1
    else if (outcome === 'conflict') this.#counts.conflicts += 1
    else this.#counts.stored += 1
  }

  /** @param reason words without patient data */
  countFailure(status: number, reason: string): void {
    this.#counts.failed += 1
    countReported(this.#failures, status, reason)
  }

  /** @param reason words without patient data */
  countWarning(status: number, reason: string): void {
    countReported(this.#warnings, status, reason)
  }

  finish(
    node: Pick<CalledNode, 'accountUuid' | 'namespaceUuid'>,
    peer: Pick<AssociationRow, 'calledTitle' | 'callingTitle' | 'address' | 'isTls'>,
    end: { at: Date; outcome: AssociationOutcome; reason: string },
  ): AssociationRow {
    return {
      uuid: this.uuid,
      accountUuid: node.accountUuid,
      namespaceUuid: node.namespaceUuid,
      ...peer,
      began: this.#began,
      ended: end.at,
      outcome: end.outcome,
      reason: end.reason,
      ...this.#counts,
      failures: [...this.#failures.values()],
      warnings: [...this.#warnings.values()],
    }
  }
}

function countReported(reported: Map<string, ReportedSender>, status: number, reason: string): void {
  const key = `${status} ${reason}`
  const known = reported.get(key)
  if (known) known.count += 1
  else if (reported.size < MAX_KINDS) reported.set(key, { status: formatStatus(status), reason, count: 1 })
}
