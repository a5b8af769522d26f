import { randomBytes, randomUUID } from 'node:crypto'
import { maxShownStudies } from '@hilum/contract/limits'
import { type LinkGives, rightsOfLink } from '@hilum/contract/link-rights'
import { isDicomDay } from '@hilum/dicom/dates'
import type { Caller } from '../../access/caller.ts'
import { digestOf } from '../../access/sid.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { LinkFault } from './link-values.policy.ts'
import { linkAddress } from './link.presenter.ts'
import { isOfSamePatient, whyWithheld } from './earlier-exams.command.ts'
import { addLink, type LinkableStudy, lockLinkable, type NewLink } from './link.sql.ts'

/** Bytes of the secret in the address of a link (design §6). */
export const secretBytes = 16

/** A link to make: what it asks for, and what it gives. */
export interface LinkOptions
  extends Required<Pick<NewLink, 'passwordHash' | 'passwordIsDob' | 'maxHits' | 'message' | 'email'>>,
    LinkGives {
  minutes: number
  /** The maker has looked at images of several patients. */
  mixedSeen: boolean
  /** Addresses that are told when it is opened. */
  notify?: readonly string[]
  /** Asks for a code that is mailed to `email`. */
  pinAuth?: boolean
}

export type MadeLink = ({ kind: 'made'; uuid: string; url: string } & Partial<LinkCounts>) | { kind: LinkFault }

/** Studies that a link shows, and earlier exams of the patient that were asked for and that it does not show. */
interface LinkCounts {
  studies: number
  leftOut: number
}

/**
 * Makes a link to records of one place, and puts that on record. Nothing is mailed.
 * @param earlier records besides that nobody named: those that cannot be shown are left out
 * @param address of the web app, with which the address of the link begins
 */
export async function makeLink(
  tx: Tx,
  sealer: Sealer,
  {
    caller,
    record,
    more = [],
    earlier = [],
    address,
  }: {
    caller: Caller
    record: StudyRecord
    more?: readonly StudyRecord[]
    earlier?: readonly StudyRecord[]
    address: string
  },
  options: LinkOptions,
): Promise<MadeLink> {
  const records = [record, ...more]
  const birthDates = new Set<string>()
  const locked = await lockByUuid(tx, records)
  for (const one of records) {
    const study = locked.get(one.uuid)
    if (!study) return { kind: 'gone' }
    if (study.is_frozen) return { kind: 'frozen' }
    if (!study.has_images) return { kind: 'phantom' }
    if (options.attachments && study.nameless_for !== null) return { kind: 'nameless' }
    if (study.is_mixed && !options.mixedSeen) return { kind: 'mixed' }
    birthDates.add(study.patient_birth_date)
  }
  const patient = locked.get(record.uuid)
  // an exam beside a copy without names tells whose it is, as does a copy under another pseudonym
  if ([...locked.values()].some((one) => one.nameless_for !== patient?.nameless_for)) return { kind: 'namesBeside' }
  let [leftOut, next] = [0, 0]
  while (next < earlier.length && records.length < maxShownStudies) {
    const batch = earlier.slice(next, next + maxShownStudies)
    const there = await lockByUuid(tx, batch)
    for (const one of batch) {
      if (records.length === maxShownStudies) break
      next += 1
      const study = there.get(one.uuid)
      // deleted or corrected to another patient meanwhile: none of the patient's exams any more
      if (!patient || !study || !isOfSamePatient(patient, study)) continue
      const isOfOtherDay = options.passwordIsDob && !birthDates.has(study.patient_birth_date)
      if (isOfOtherDay || study.nameless_for !== patient.nameless_for || !mayShowUnnamed(study, options)) leftOut += 1
      else records.push(one)
    }
  }
  leftOut += earlier.length - next
  // the date of birth of one patient must not open the exams of another
  const [birthDate = ''] = birthDates
  if (options.passwordIsDob && (birthDates.size > 1 || !isDicomDay(birthDate))) return { kind: 'noBirthDate' }
  const { minutes, download, attachments, ...values } = options
  const uuid = randomUUID()
  const secret = randomBytes(secretBytes).toString('base64url')
  const expiresAt = new Date(Date.now() + minutes * 60_000)
  await addLink(tx, {
    ...values,
    uuid,
    accountUuid: record.account_uuid,
    createdBy: caller.userUuid,
    permissions: rightsOfLink({ download, attachments }),
    expiresAt,
    studies: records,
    secretDigest: digestOf(secret),
    sealedSecret: sealer.seal(secret, uuid),
  })
  for (const one of records) {
    await writeAudit(tx, {
      accountUuid: one.account_uuid,
      caller,
      action: 'CREATE',
      type: 'Link',
      objectUuid: one.uuid,
      phiNamespace: one.phi_namespace,
      detail: {
        link: uuid,
        ...(records.length > 1 ? { studies: records.length } : {}),
        expires_at: expiresAt.toISOString(),
        max_hits: options.maxHits,
        factor: factorOf(options),
        ...(options.pinAuth ? { pin: 1 } : {}),
        download: download ? 1 : 0,
        ...(attachments ? { attachments: 1 } : {}),
        ...(options.email ? { email: options.email } : {}),
      },
    })
  }
  return { kind: 'made', uuid, url: linkAddress(address, secret), studies: records.length, leftOut }
}

/** Records of one place, locked in one statement. */
async function lockByUuid(tx: Tx, records: readonly StudyRecord[]) {
  const uuids = records.map(({ uuid }) => uuid)
  const found = await lockLinkable(tx, records[0]?.phi_namespace ?? '', uuids)
  return new Map(found.map((one) => [one.uuid, one]))
}

/** Whether a record may be shown that nobody chose or looked at: no images of another patient, none that await approval. */
function mayShowUnnamed(study: LinkableStudy, { attachments }: LinkOptions): boolean {
  return whyWithheld(study) === undefined && !(attachments && study.nameless_for !== null)
}

function factorOf({ passwordIsDob, passwordHash }: Pick<LinkOptions, 'passwordIsDob' | 'passwordHash'>): string {
  if (passwordIsDob) return 'date of birth'
  return passwordHash ? 'password' : 'none'
}
