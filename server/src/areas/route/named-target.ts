import type { RouteAction, RouteActionKind } from '@hilum/contract/routing-rule'
import type { RuleTarget } from './rule-target.sql.ts'

/** Kind and uuid of the object of an action; of a share code the code. */
export function namedBy(action: RouteAction): { kind: RouteActionKind; uuid: string } {
  if ('webhook' in action) return { kind: 'webhook', uuid: action.webhook }
  if ('destination' in action) return { kind: 'destination', uuid: action.destination }
  if ('share_code' in action) return { kind: 'share_code', uuid: action.share_code }
  return { kind: 'namespace', uuid: action.namespace }
}

/** The kind of action that names such a target. */
export function kindOfAction({ kind }: Pick<RuleTarget, 'kind'>): RouteActionKind {
  return kind === 'webhook' || kind === 'destination' ? kind : 'namespace'
}
