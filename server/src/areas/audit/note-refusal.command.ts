import { factsOf, mayDo } from '@hilum/contract/acts'
import { uuidForm } from '@hilum/contract/wire'
import { addressKey } from '../../access/address-key.ts'
import { actorOf, type Asker } from '../../access/caller.ts'
import { digestOf } from '../../access/sid.ts'
import type { Services } from '../../services.ts'
import {
  countRefusals,
  findNamedThings,
  listEndedSessions,
  type NamedThing,
  type Refusals,
  type SentNames,
} from './refusal.sql.ts'

/** More names in one request are no more telling. */
const mostNames = 50
/** Requests looked at together. */
const atOnce = 100
/** Requests without a session that wait to be looked at; those beyond are told of in the log alone. */
const mostNameless = 1000
const uidForm = /^[0-9.]{3,64}$/

/** A person or an opened link in a session, or an address whose sid, if it sent one, opens nothing. */
export type Refused = Asker | { clientAddress: string; sid: string | undefined }

export interface Attempt {
  /** The path of a call, or a door: `storage`, `dicomweb`, `channel`. */
  act: string
  names: readonly unknown[]
  /** Study UIDs that were asked for without a namespace. */
  uidsAnywhere?: readonly string[]
  /** The person may see the thing, and not act on it; otherwise only things count to which the person has no part. */
  isForbidden: boolean
  /** The request was answered, without the studies of `uidsAnywhere` that are not the person's. */
  isAnswered?: boolean
}

interface Waiting {
  who: Refused
  attempt: Attempt
  names: SentNames
}
interface Line {
  waiting: Waiting[]
  nameless: number
  unseen: number
}
type Parts = Pick<Services, 'db' | 'log'>

/** By database: refusals that wait while those before are looked at. */
const lines = new WeakMap<Services['db'], Line>()

/**
 * Puts on record that somebody was refused what exists and is another's, or may not be acted on: one line for each hour,
 * person or address, act and kind, with a count, in the account whose thing it is. Names of nothing are no line. Works
 * after the answer: its time is not to tell what exists.
 */
export function noteRefusal(services: Parts, who: Refused, attempt: Attempt): void {
  const names = readNames(attempt)
  if (names.uuids.length === 0 && names.uidsAnywhere.length === 0) return
  const line = lines.get(services.db)
  if (!line) {
    const begun = { waiting: [{ who, attempt, names }], nameless: isKnown(who) ? 0 : 1, unseen: 0 }
    lines.set(services.db, begun)
    void work(services, begun)
    return
  }
  if (!isKnown(who) && line.nameless >= mostNameless) {
    line.unseen += 1
    return
  }
  if (!isKnown(who)) line.nameless += 1
  line.waiting.push({ who, attempt, names })
}

function isKnown(who: Refused): who is Asker {
  return 'kind' in who
}

function readNames({ names, uidsAnywhere = [] }: Attempt): SentNames {
  const texts = names.flatMap((name) => (typeof name === 'string' ? [name] : [])).slice(0, mostNames)
  return {
    uuids: texts.filter((text) => uuidForm.test(text)).map((text) => text.toLowerCase()),
    studyUids: texts.filter((text) => uidForm.test(text)),
    uidsAnywhere: uidsAnywhere.filter((uid) => uidForm.test(uid)).slice(0, mostNames),
  }
}

async function work({ db, log }: Parts, line: Line): Promise<void> {
  try {
    while (line.waiting.length > 0) {
      const some = line.waiting.splice(0, atOnce)
      line.nameless -= some.filter(({ who }) => !isKnown(who)).length
      for (const refused of await countAll(db, some)) await countRefusals(db, refused)
    }
  } catch (error) {
    log.warn({ event: 'refusals not put on record', lost: line.waiting.length, err: error })
  } finally {
    lines.delete(db)
    if (line.unseen > 0) log.warn({ event: 'refusals not looked at', requests: line.unseen })
  }
}

/** The lines of some requests, each line once with its count. */
async function countAll(db: Services['db'], some: readonly Waiting[]): Promise<Iterable<Refusals>> {
  const all = (name: keyof SentNames) => [...new Set(some.flatMap(({ names }) => names[name]))]
  const things = await findNamedThings(db, {
    uuids: all('uuids'),
    studyUids: all('studyUids'),
    uidsAnywhere: all('uidsAnywhere'),
  })
  const counted = new Map<string, Refusals>()
  if (things.length === 0) return []
  const ended = await endedSessionsOf(db, some)
  for (const one of some) {
    if (!isKnown(one.who) && isLeftOpen(one.who, ended)) continue
    for (const thing of nearest(await refusedThings(one, things))) {
      const refused = refusedOf(one, thing)
      const key = [refused.accountUuid, refused.asker, refused.act, refused.kind].join('/')
      counted.set(key, { ...refused, count: (counted.get(key)?.count ?? 0) + 1 })
    }
  }
  return counted.values()
}

function refusedOf({ who, attempt: { act } }: Waiting, thing: NamedThing): Refusals {
  const { kind, uuid: objectUuid, account_uuid: accountUuid } = thing
  const { clientAddress } = who
  const asker = isKnown(who)
    ? {
        userUuid: who.kind === 'link' ? null : who.userUuid,
        asker: askerOf(who),
        name: who.name,
        isByKey: who.kind === 'key',
        ...('proxy' in who && who.proxy ? { proxy: who.proxy.name } : {}),
      }
    : { userUuid: null, asker: addressKey(clientAddress), name: '' }
  return { ...asker, clientAddress, accountUuid, act, kind, objectUuid, count: 1 }
}

/** Key of the lines of a person; a supporter who is signed in as the person, and the person's programs, have lines of their own. */
function askerOf(who: Asker): string {
  const person = actorOf(who)
  if ('proxy' in who && who.proxy) return `${person} ${who.proxy.userUuid}`
  return who.kind === 'key' ? `${person} key` : person
}

async function refusedThings({ who, attempt, names }: Waiting, things: readonly NamedThing[]): Promise<NamedThing[]> {
  const { uuids, studyUids, uidsAnywhere } = names
  const isNamed = ({ uuid, namespace_uuid: namespace, study_uid: uid }: NamedThing) =>
    uuids.includes(uuid) || (uid !== null && studyUids.includes(uid) && uuids.includes(namespace ?? ''))
  const named = things.filter(isNamed)
  if (!isKnown(who)) return [...named, ...things.filter(({ study_uid: uid }) => uidsAnywhere.includes(uid ?? ''))]
  if (who.kind === 'link')
    return [...named, ...things.filter(({ study_uid: uid }) => uidsAnywhere.includes(uid ?? ''))].filter(
      ({ uuid }) => !who.derivedStudies.has(uuid),
    )
  const memberships = await who.memberships()
  const own = new Map(memberships.flatMap((one) => [one.namespaceUuid, one.ownerUuid].map((uuid) => [uuid, one])))
  const isOwn = ({ uuid, namespace_uuid: namespace }: NamedThing) =>
    uuid === who.userUuid || own.has(uuid) || own.has(namespace ?? '')
  /** Not the person's, or of an own place and not shown there: a study that waits or is deleted, an order. */
  const isHidden = (thing: NamedThing) => {
    const permissions = own.get(thing.namespace_uuid ?? '')?.permissions ?? new Set()
    const { must_approve: awaitsApproval, deleted, taken_back: takenBack } = thing
    const facts = factsOf({ awaitsApproval, deleted, takenBack })
    if (!mayDo(thing.kind === 'Order' ? 'seeOrders' : 'findStudy', { permissions, facts })) return true
    return !isOwn(thing)
  }
  const anywhere = uidsAnywhere.flatMap((asked) => {
    const studies = things.filter(({ study_uid: uid }) => uid === asked)
    // a person with a part in the study asks for the study itself, shown or not
    if (!studies.some(isOwn)) return studies
    return attempt.isAnswered ? [] : studies.filter((one) => isOwn(one) && isHidden(one))
  })
  const refused = attempt.isAnswered ? [] : named.filter((one) => attempt.isForbidden || isHidden(one))
  return [...refused, ...anywhere]
}

async function endedSessionsOf(db: Services['db'], some: readonly Waiting[]): Promise<ReadonlyMap<string, string>> {
  const sids = some.flatMap(({ who }) => (isKnown(who) || !who.sid ? [] : [who.sid]))
  const rows = await listEndedSessions(db, sids.map(digestOf))
  return new Map(rows.map(({ sid_digest: digest, client_address: address }) => [keyOf(digest), addressKey(address)]))
}

/** A page that stayed open after its session was over, at the address where the person had signed in, is no attempt. */
function isLeftOpen(
  { sid, clientAddress }: { sid: string | undefined; clientAddress: string },
  ended: ReadonlyMap<string, string>,
): boolean {
  return sid !== undefined && ended.get(keyOf(digestOf(sid))) === addressKey(clientAddress)
}

function keyOf(digest: Buffer): string {
  return digest.toString('hex')
}

/** A request for a study names its namespace, too: one line for each account, of what was meant. */
function nearest(things: readonly NamedThing[]): NamedThing[] {
  const order = ['Study', 'Order', 'User', 'Group', 'Namespace', 'Account']
  const sorted = things.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
  return [...Map.groupBy(sorted, (one) => one.account_uuid).values()].flatMap(([first]) => (first ? [first] : []))
}
