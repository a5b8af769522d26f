import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AnyCall } from '@hilum/contract/call'
import { ApiError } from '@hilum/contract/errors'
import { idempotencyKeyLength } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import type { Services } from '../../services.ts'
import {
  type AnsweredAct,
  beginAct,
  findAnsweredAct,
  forgetAct,
  type KeyedAct,
  storeAnswer,
} from './answered-act.sql.ts'

type Answer = Record<string, unknown>
type Raw = Readonly<Record<string, unknown>>

/** How long the same act is waited for where it is under way, and how often it is looked for. */
const patienceMs = 20_000
const lookMs = 200

/** The key under which an act is to be done once; undefined where none was sent. @throws ApiError INVALID_FIELD */
export function readIdempotencyKey(call: AnyCall, raw: Raw): string | undefined {
  const key = raw.idempotency_key
  if (!call.once || key === undefined) return undefined
  const { least, most } = idempotencyKeyLength
  if (typeof key === 'string' && key.length >= least && key.length <= most) return key
  throw new ApiError('INVALID_FIELD', { subtype: 'idempotency_key' })
}

/**
 * Does an act once for all requests of a person that come under one key, and answers the others as the first. An act
 * that is refused is forgotten.
 * @throws ApiError ANSWERED_BEFORE `other_values`: the key came with other values; `no_answer`: the process or the
 *   database went away in the middle, and whether the act was done is not known
 */
export async function answerOnce(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  { key, userUuid, call, raw }: { key: string; userUuid: string; call: AnyCall; raw: Raw },
  act: () => Promise<Answer>,
): Promise<Answer> {
  const keyed = { userUuid, keyDigest: digestOf(key), call: call.path, sentMac: macOf(call, key, raw) }
  const owner = keyed.keyDigest.toString('hex')
  const before = await beginOrFind(db, keyed)
  if (before) return answerAgain(sealer.open(before, owner))
  let answer: Answer
  try {
    answer = await act()
  } catch (error) {
    // a commit whose reply was lost may have been made
    if (!(error instanceof DatabaseAwayError)) await forgetAct(db, keyed)
    throw error
  }
  await storeAnswer(db, keyed, sealer.seal(JSON.stringify(answer), owner))
  return answer
}

/** Begins an act, or gives the sealed answer to the same one, once there is one. */
async function beginOrFind(db: Services['db'], keyed: KeyedAct): Promise<Buffer | undefined> {
  for (const until = performance.now() + patienceMs; ; await delay(lookMs)) {
    if (await beginAct(db, keyed)) return undefined
    const before = await findAnsweredAct(db, keyed)
    const isOther = before !== undefined && !isSame(before, keyed)
    // other values of an act without an answer: nobody may say yet that it was done
    if (isOther && (before.call !== keyed.call || before.sealed_answer)) {
      throw new ApiError('ANSWERED_BEFORE', { subtype: 'other_values' })
    }
    if (before?.sealed_answer) return before.sealed_answer
    // refused meanwhile, it is begun by the next look
    if (before && !(before.is_recent && performance.now() < until)) throw withoutAnswer()
  }
}

function isSame(before: AnsweredAct, { call, sentMac }: KeyedAct): boolean {
  return before.call === call && before.sent_mac.equals(sentMac)
}

function answerAgain(answer: string | undefined): Answer {
  if (answer === undefined) throw withoutAnswer()
  return JSON.parse(answer) as Answer // as it was stringified
}

const withoutAnswer = () => new ApiError('ANSWERED_BEFORE', { subtype: 'no_answer' })

/** Names the parameters of an act without telling them: passwords are among them. */
function macOf(call: AnyCall, key: string, raw: Raw): Buffer {
  const passedOver = new Set(['sid', 'idempotency_key', 'fields._top', ...(call.once?.timed ?? [])])
  const sent = Object.entries(raw)
    .filter(([name]) => !passedOver.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha256', key).update(JSON.stringify(sent)).digest()
}
