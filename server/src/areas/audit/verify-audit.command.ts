import type { Db } from '../../db/database.ts'
import { listDoubtfulErasures } from './erase.sql.ts'
import { digestOfSeal } from './seal-digest.ts'
import {
  listPlacedRows,
  listRowsByNumber,
  listSealsAfter,
  noAccount,
  type PlacedRow,
  type Seal,
  type SealedRow,
} from './seal.sql.ts'

export type AuditFault = { kind: string; what: string }
/** The last seal of an account's chain: written down elsewhere, it shows later whether the chain's end was cut off. */
type ChainEnd = { account_uuid: string; number: number; digest: string }
type VerifiedAudit = { rows: number; unsealed: number; faults: number; chains: ChainEnd[] }

const SEALS = 50
const ROWS = 2000
const DIGEST_BYTES = 32
/** No transaction runs as long: a row that comes this much later than it says was put there by hand. */
const LATEST_MS = 3_600_000

/**
 * Holds the audit rows against their seals: rows changed, removed, put in, or under each other's numbers; seals changed
 * or taken out; details erased by nobody on record. Changes nothing.
 * @param accountUuid checks the rows and seals of this account alone
 * @param onRows is told how many rows were read, those of seals and then those in their places; it may throw to end the check
 */
export async function verifyAudit(
  db: Db,
  tellOne: (fault: AuditFault) => void,
  accountUuid?: string,
  onRows: (read: number) => Promise<void> = async () => {},
): Promise<VerifiedAudit> {
  let read = 0
  const count: Count = async (more) => {
    read += more
    await onRows(read)
  }
  const result: VerifiedAudit = { rows: 0, unsealed: 0, faults: 0, chains: [] }
  const tell = (kind: string, what: string) => {
    result.faults += 1
    tellOne({ kind, what })
  }
  const newest = await verifySeals(db, result, tell, accountUuid, count)
  await verifyPlaces(db, newest, result, tell, accountUuid, count)
  for (const { id, account_uuid } of await listDoubtfulErasures(db, accountUuid)) {
    tell('audit detail erased without a record of it', nameRow(account_uuid ?? noAccount, id))
  }
  return result
}

type Tell = (kind: string, what: string) => void
type Count = (rows: number) => Promise<void>

/** Gives when the newest row of each chain's last seal was written. */
async function verifySeals(
  db: Db,
  result: VerifiedAudit,
  tell: Tell,
  accountUuid: string | undefined,
  count: Count,
): Promise<Map<string, number>> {
  const newest = new Map<string, number>()
  let last: Seal | undefined
  for (let isMore = true; isMore; ) {
    const seals = await listSealsAfter(db, last, SEALS, accountUuid)
    for (const seal of seals) {
      const previous = last?.account_uuid === seal.account_uuid ? last : undefined
      verifyLink(seal, previous, tell)
      const rows = await listRowsByNumber(db, seal.row_ids)
      verifyRows(seal, rows, tell)
      await count(rows.length)
      const before = newest.get(seal.account_uuid)
      for (const row of rows) tellIfLate(row, before, tell)
      newest.set(seal.account_uuid, Math.max(...rows.map((row) => row.at.getTime()), before ?? -Infinity))
      if (previous) result.chains.pop()
      result.chains.push({
        account_uuid: seal.account_uuid,
        number: seal.number,
        digest: seal.digest.toString('hex'),
      })
      last = seal
    }
    isMore = seals.length === SEALS
  }
  return newest
}

function verifyLink(seal: Seal, previous: Seal | undefined, tell: Tell): void {
  const expected = (previous?.number ?? 0) + 1
  if (seal.number !== expected) {
    const last = seal.number - 1
    tell('audit seals removed', `${seal.account_uuid} seals ${expected === last ? last : `${expected} to ${last}`}`)
    return // without the one before it cannot be known whether this one is true
  }
  const isWhole = seal.row_digests.length === seal.row_ids.length * DIGEST_BYTES
  if (!isWhole || !digestOfSeal(seal, previous?.digest).equals(seal.digest))
    tell('audit seal changed', `${seal.account_uuid} seal ${seal.number}`)
}

function verifyRows(seal: Seal, rows: readonly SealedRow[], tell: Tell): void {
  const found = Map.groupBy(rows, (row) => row.id)
  const recorded = new Map<string, number>()
  const digestAt = (place: number) =>
    seal.row_digests.subarray(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES).toString('hex')
  seal.row_ids.forEach((id, place) => recorded.set(digestAt(place), id))
  seal.row_ids.forEach((id, place) => {
    const name = nameRow(seal.account_uuid, id, seal.number)
    const here = found.get(id) ?? []
    const genuine = here.find((row) => row.digest === digestAt(place))
    const others = here.filter((row) => row !== genuine)
    if (here.length === 0) tell('audit row removed', name)
    else if (!genuine) {
      const origin = recorded.get(others[0]?.digest ?? '')
      if (origin === undefined) tell('audit row changed', name)
      else tell('audit row out of its place', `${name}, holds what row ${origin} held`)
    }
    for (const _ of genuine ? others : others.slice(1)) tell('audit row put in', name)
    if (genuine && genuine.seal_number !== seal.number) tell('audit row taken out of its seal', name)
  })
}

/** Rows that no seal lists: new ones, which wait for theirs, and those that name one which does not know them. */
async function verifyPlaces(
  db: Db,
  newest: ReadonlyMap<string, number>,
  result: VerifiedAudit,
  tell: Tell,
  accountUuid: string | undefined,
  count: Count,
): Promise<void> {
  let last: PlacedRow | undefined
  for (let isMore = true; isMore; ) {
    const rows = await listPlacedRows(db, last, ROWS, accountUuid)
    for (const row of rows) {
      result.rows += 1
      if (row.seal_number === null) {
        result.unsealed += 1
        tellIfLate(row, newest.get(row.account_uuid), tell)
      } else if (!row.is_listed) tell('audit row put in', nameRow(row.account_uuid, row.id, row.seal_number))
    }
    await count(rows.length)
    last = rows.at(-1)
    isMore = rows.length === ROWS
  }
}

/** @param before when the newest row of the seal before was written */
function tellIfLate(row: Pick<SealedRow, 'id' | 'at' | 'account_uuid'>, before: number | undefined, tell: Tell): void {
  if (before !== undefined && row.at.getTime() + LATEST_MS < before)
    tell('audit row put in later than it says', nameRow(row.account_uuid, row.id))
}

function nameRow(accountUuid: string, id: number, sealNumber?: number): string {
  return `${accountUuid} row ${id}${sealNumber === undefined ? '' : ` of seal ${sealNumber}`}`
}
