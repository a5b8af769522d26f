import { randomUUID } from 'node:crypto'
import { formatStatus } from '@hilum/dicom/dimse/status'
import type { Outcome } from '../storage/arrived-image.ts'
import type { AssociationOutcome, AssociationRow, CalledNode } from './node.sql.ts'

/** Kinds of failure kept of one association; more of them say nothing new. */
const MAX_KINDS = 20

/** Counts what one association brings, for its line in the list of transfers. */
export class AssociationReport {
  readonly uuid = randomUUID()
  readonly #began: Date
  readonly #counts = { stored: 0, duplicates: 0, conflicts: 0, failed: 0, bytes: 0 }
  readonly #failures = new Map<string, { status: string; reason: string; count: number }>()

  constructor(began: Date) {
    this.#began = began
  }

  countReceived(outcome: Outcome, bytes: number): void {
    this.#counts.bytes += bytes
    if (outcome === 'duplicate') this.#counts.duplicates += 1
    else if (outcome === 'conflict') this.#counts.conflicts += 1
    else this.#counts.stored += 1
  }

  /** @param reason words without patient data */
  countFailure(status: number, reason: string): void {
    this.#counts.failed += 1
    const key = `${status} ${reason}`
    const known = this.#failures.get(key)
    if (known) known.count += 1
    else if (this.#failures.size < MAX_KINDS)
      this.#failures.set(key, { status: formatStatus(status), reason, count: 1 })
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
    }
  }
}
