import { randomUUID } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { Database, Tx } from '../../db/database.ts'
import { deleteRecord } from '../retention/delete-record.command.ts'
import type { Recipient } from './share-recipient.sql.ts'
import { shareStudy } from './share-study.command.ts'
import { adoptShare } from '../account/hand-over.sql.ts'
import { type HeldStudy, listHeldStudies } from '../account/holdings.sql.ts'

const mostAtOnce = 200

interface People {
  accountUuid: string
  from: string
}

/**
 * Shares a person's personal studies with somebody, with what is attached; each is shared whole or not at all. A study
 * that the taker may not get, as where the taker has one of another patient under its UID, stays.
 * @returns how many were shared
 */
export function handOverStudies(db: Database, caller: Caller, people: People, to: Recipient): Promise<number> {
  return onEach(db, people, async (tx, record) => {
    const options = {
      message: '',
      delaySeconds: 0,
      minutes: null,
      byCode: false,
      withAttachments: true,
      mixedSeen: true,
    }
    const done = await shareStudy(tx, caller, record, to, { ...options, uuid: randomUUID() })
    // shared with the taker before the person left: goes on, in the name of whoever hands over
    if (done.kind === 'unchanged') return adoptShare(tx, record.uuid, to.uuid, caller.userUuid)
    return done.kind === 'delivered'
  })
}

/** Puts a person's personal studies into the bin, but for those that something keeps. @returns how many */
export function removeStudies(db: Database, caller: Caller, people: People): Promise<number> {
  return onEach(
    db,
    people,
    async (tx, record) => (await deleteRecord(tx, caller, record, caller.userUuid)) === 'deleted',
  )
}

async function onEach(
  db: Database,
  { accountUuid, from }: People,
  act: (tx: Tx, record: StudyRecord) => Promise<boolean>,
): Promise<number> {
  let count = 0
  // studies that stay stand in the way of none that comes after
  for (let after: HeldStudy | undefined; count < mostAtOnce; ) {
    const held = await listHeldStudies(db, accountUuid, from, after, mostAtOnce - count)
    for (const { uuid } of held) if (await actOnOne(db, uuid, act)) count += 1
    after = held.at(-1)
    if (!after) break
  }
  return count
}

async function actOnOne(
  db: Database,
  uuid: string,
  act: (tx: Tx, record: StudyRecord) => Promise<boolean>,
): Promise<boolean> {
  const record = await findRecordByUuid(db, uuid)
  if (!record || record.deleted) return false
  try {
    await db.transaction().execute(async (tx) => {
      if (!(await act(tx, record))) throw new NotHandedOver()
    })
    return true
  } catch (error) {
    if (error instanceof NotHandedOver) return false
    throw error
  }
}

/** Rolls back what was begun with a study that stays. */
class NotHandedOver extends Error {}
