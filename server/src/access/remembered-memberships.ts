import type { Db } from '../db/database.ts'
import type { Membership } from './caller.ts'
import { gatherMemberships, type MembershipRow } from './membership.sql.ts'

/** Places of all persons together that one process remembers, some 300 bytes each; beyond, the oldest are forgotten. */
const MOST_PLACES = 20_000

/** Memberships of a person, and the epoch of rights in which they hold. */
interface Remembered {
  epoch: string
  memberships: readonly Membership[]
}

interface Memory {
  persons: Map<string, Remembered>
  places: number
}

const memories = new WeakMap<Db, Memory>()

/**
 * The memberships of a person as they are at the last commit: gathered anew as soon as anybody's rights change, which the
 * database says by another epoch (migration 0185).
 * @param epoch read with the session of this request; null where the database has none
 */
export async function rememberMemberships(
  db: Db,
  { userUuid, epoch }: { userUuid: string; epoch: string | null },
  read: (rows: readonly MembershipRow[]) => readonly Membership[],
): Promise<readonly Membership[]> {
  // a transaction sees changes of its own, which nobody else sees yet, and before they change the epoch
  const memory = db.isTransaction ? undefined : memoryOf(db)
  const known = memory?.persons.get(userUuid)
  if (known && known.epoch === epoch) return known.memberships
  // by one statement, so that the epoch is that of the rights
  const gathered = await gatherMemberships(db, userUuid)
  const memberships = read(gathered.memberships)
  if (memory && gathered.rights_epoch !== null)
    remember(memory, userUuid, { epoch: gathered.rights_epoch, memberships })
  return memberships
}

function memoryOf(db: Db): Memory {
  const known = memories.get(db)
  if (known) return known
  const memory: Memory = { persons: new Map(), places: 0 }
  memories.set(db, memory)
  return memory
}

function remember(memory: Memory, userUuid: string, remembered: Remembered): void {
  forget(memory, userUuid)
  memory.places += remembered.memberships.length
  memory.persons.set(userUuid, remembered)
  // a map gives its entries in the order in which they came
  for (const oldest of memory.persons.keys()) {
    if (memory.places <= MOST_PLACES) return
    forget(memory, oldest)
  }
}

function forget(memory: Memory, userUuid: string): void {
  memory.places -= memory.persons.get(userUuid)?.memberships.length ?? 0
  memory.persons.delete(userUuid)
}
