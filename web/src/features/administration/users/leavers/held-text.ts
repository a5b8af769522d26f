import { t } from '../../../../labels/label.ts'
import type { HoldingKind } from '../../../../queries/leavers.ts'

/** Things in words, as "2 open links, 1 routing rule". */
export function heldText(holdings: readonly { kind: HoldingKind; count: number }[]): string {
  return holdings.map(({ kind, count }) => t(`leavers.kind.${kind}`, { count })).join(', ')
}
