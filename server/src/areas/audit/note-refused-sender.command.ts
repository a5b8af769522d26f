import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import { addressKey } from '../../access/address-key.ts'
import type { Services } from '../../services.ts'
import { countRefusals, findSoleAccount, senderMark, type SenderAct } from './refusal.sql.ts'

/** A DICOM sender that was refused, and how often by each service. */
export interface RefusedSender {
  callingTitle: string
  address: string
  /** The place that the called title stands for; undefined when the title stands for nothing. */
  called: { namespaceUuid: string; accountUuid: string } | undefined
  acts: ReadonlyMap<SenderAct, number>
}

/**
 * Counts what a DICOM sender was refused, in the account that the sender called: one line for each hour, AE title with
 * address, and service. A title that stands for nothing counts in the account of an installation that has one alone; of
 * several accounts none may learn who misses another.
 */
export async function noteRefusedSender(
  { db }: Pick<Services, 'db'>,
  { callingTitle, address, called, acts }: RefusedSender,
): Promise<void> {
  if (acts.size === 0) return
  const accountUuid = called?.accountUuid ?? (await findSoleAccount(db))
  if (!accountUuid) return
  const name = isAeTitle(callingTitle) ? callingTitle : '?'
  for (const [act, count] of acts) {
    await countRefusals(db, {
      accountUuid,
      userUuid: null,
      asker: `${senderMark}${name} ${addressKey(address)}`,
      name,
      clientAddress: address,
      act,
      kind: called ? 'Namespace' : 'Title',
      objectUuid: called?.namespaceUuid ?? accountUuid,
      count,
    })
  }
}
