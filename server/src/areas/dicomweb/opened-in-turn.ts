import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { atMost } from '../storage/at-most.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

/** Deflated data sets that are open at a time, however many ask. */
const inTurn = atMost(2)

/**
 * Runs work that reads what is inside an instance. A deflated data set is opened whole, and 200 KB may open to 200 MB:
 * such work waits for its turn.
 * @param work does not call this again, and lets go of the opened bytes at its end
 */
export function openedInTurn<T>(
  { transfer_syntax }: Pick<StoredInstance, 'transfer_syntax'>,
  work: () => Promise<T>,
): Promise<T> {
  return transferSyntaxOf(transfer_syntax).isDeflated ? inTurn(work) : work()
}
