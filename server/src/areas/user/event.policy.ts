import type { Membership } from '../../access/caller.ts'

/** Whether people are mailed of what is shared into a namespace before they have chosen: of their own alone. */
export function isMailedAtFirst({ kind }: Pick<Membership, 'kind'>): boolean {
  return kind === 'user'
}
