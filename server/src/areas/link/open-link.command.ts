import { randomUUID } from 'node:crypto'
import type { LinkState } from '@hilum/contract/calls/link'
import type { Database } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { isPasswordOf } from '../user/password-hash.ts'
import {
  countLinkUse,
  findKnockedLinkAgain,
  findOpenedLink,
  goOnWithUse,
  type KnockedLink,
  listBirthDates,
  takePasswordTry,
} from './link-session.sql.ts'
import { lookAtPin, pinDigestOf } from './link-pin.command.ts'
import { tellOpened } from './tell-use.command.ts'
import { openLinkSession } from './open-link-session.command.ts'

type OpenedOrNot =
  | { kind: 'open'; sid: string; expires: string; studyCount: number }
  | { kind: 'closed'; state: 'expired' | 'used' | 'ended' }
  | { kind: 'waiting' | 'locked' | 'asks' | 'wrong' | 'asks pin' | 'wrong pin' | 'no pin' }

/**
 * Opens a link for somebody who knows its address: looks at the password or date of birth and at the code, counts the use, and begins a
 * session. A use is counted once all else is right, and in one transaction with the session. Whoever goes on with a use of a request
 * that an earlier session began, after a crash of the browser, is asked for the password alone, and counts none.
 */
export async function openLink(
  db: Database,
  link: KnockedLink,
  { password, pin }: { password: string; pin: string },
  from: { clientAddress: string; userAgent: string /** Of the web app. */; address: string },
): Promise<OpenedOrNot> {
  const closed = refusalOf(link)
  if (closed) return closed
  const asksPassword = link.password_hash !== null || link.password_is_dob
  if (asksPassword && !password.trim()) return { kind: 'asks' }
  const asksPin = link.pin_auth && !link.goes_on_from
  if (asksPin && !pin.trim()) return { kind: 'asks pin' }
  if (asksPassword || asksPin) {
    // a wrong code is told as wrong once the try was counted; that none is in force says nothing of any
    const look = asksPin ? await lookAtPin(db, link.uuid, pin) : 'right'
    if (look === 'expired') return { kind: 'no pin' }
    if (!(await takePasswordTry(db, link.uuid))) return { kind: 'locked' }
    const fault = await faultOf(db, link, {
      password: asksPassword ? password : undefined,
      isPinRight: look === 'right',
    })
    if (fault) {
      await writeAudit(db, {
        accountUuid: link.account_uuid,
        caller: { kind: 'link', linkUuid: link.uuid, name: 'Link', clientAddress: from.clientAddress },
        action: 'LINK_REFUSED',
        type: 'Link',
        objectUuid: link.uuid,
        detail: { reason: fault === 'wrong' ? 'INVALID_CREDENTIALS' : 'INVALID_PIN' },
      })
      return { kind: fault }
    }
  }
  const opened = await db.transaction().execute(async (tx) => {
    const isCounted = link.goes_on_from
      ? await goOnWithUse(tx, link)
      : await countLinkUse(tx, link, pinDigestOf(link.uuid, pin), {
          uuid: randomUUID(),
          clientAddress: from.clientAddress,
        })
    if (!isCounted) return undefined
    // the use of a request is told when something comes
    if (link.action === 'STUDY_VIEW') await tellOpened(tx, link.uuid, from.address)
    const birthDate = link.password_is_dob ? dateOf(password) : undefined
    return openLinkSession(tx, link.uuid, { ...from, birthDate, goesOnFrom: link.goes_on_from }, link.action)
  })
  const now = opened && (await findOpenedLink(db, link.uuid))
  if (opened && (now || link.action === 'STUDY_UPLOAD')) {
    return { kind: 'open', ...opened, studyCount: now?.studies.length ?? 0 }
  }
  // somebody else took the last use or the code, or the link was ended or changed meanwhile
  const fresh = await findKnockedLinkAgain(db, link.uuid)
  const closedSince = fresh && refusalOf(fresh)
  if (closedSince) return closedSince
  const isPinGone = asksPin && (await lookAtPin(db, link.uuid, pin)) !== 'right'
  return { kind: isPinGone ? 'no pin' : 'wrong' }
}

function refusalOf(link: KnockedLink): OpenedOrNot | undefined {
  const state = stateFor(link)
  if (state === 'open') return undefined
  return state === 'waiting' || state === 'locked' ? { kind: state } : { kind: 'closed', state }
}

/** The state of a link to whoever knocks: a used up request is open to those whose use goes on. */
export const stateFor = ({ state, goes_on_from: earlier }: KnockedLink): LinkState =>
  state === 'used' && earlier ? 'open' : state

/** The first wrong one of the factors that were given. A wrong code is told only to those who know the password. */
async function faultOf(
  db: Database,
  link: KnockedLink,
  { password, isPinRight }: { password: string | undefined; isPinRight: boolean },
): Promise<'wrong' | 'wrong pin' | undefined> {
  if (password !== undefined && !(await isRight(db, link, password))) return 'wrong'
  return isPinRight ? undefined : 'wrong pin'
}

async function isRight(db: Database, link: KnockedLink, password: string): Promise<boolean> {
  if (!link.password_is_dob) return isPasswordOf(link.password_hash ?? undefined, password)
  // an exam may have been corrected to another patient since: nobody's date opens the exams of two
  const [birthDate, ...others] = await listBirthDates(db, link.uuid)
  return others.length === 0 && birthDate !== '' && birthDate === dateOf(password)
}

/** A date of birth as people type it, YYYYMMDD. */
const dateOf = (typed: string) => typed.replaceAll(/\D/g, '')
