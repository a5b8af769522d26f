import type { RouteAction } from '@hilum/contract/routing-rule'
import type { Recipient } from '../study/share-recipient.sql.ts'

/** An action as a rule stores it: one by a share code with whom the code led to when it was put into the rule. */
export type StoredAction =
  | Exclude<RouteAction, { share_code: string }>
  | { share_code: string; to?: Pick<Recipient, 'kind' | 'uuid' | 'name'> }
type ByCode = Extract<StoredAction, { share_code: string }>

/** Whether a code leads to the recipient who was meant by it: a code that was given up is free for anybody. */
export function isMeant({ to }: ByCode, found: Pick<Recipient, 'kind' | 'uuid'>): boolean {
  return to?.kind === found.kind && to.uuid === found.uuid
}

/** Actions as they were sent, those by a code that the rule has already with whom it led to. */
export function withMeantRecipients(sent: readonly RouteAction[], before: readonly StoredAction[]): StoredAction[] {
  return sent.map((action) => {
    if (!('share_code' in action)) return action
    const code = action.share_code.toLowerCase()
    const stored = before.find((one): one is ByCode => 'share_code' in one && one.share_code.toLowerCase() === code)
    return stored ? { ...stored, share_code: action.share_code } : action
  })
}
