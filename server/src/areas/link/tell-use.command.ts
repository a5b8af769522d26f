import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { MailText } from '../mail/mail-label.ts'
import { linkOpenedMail, requestAnsweredMail } from '../mail/link-mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { publicAddress, screenAt } from '../mail/public-address.ts'
import { studyOrPlace, tellEvent } from '../telling/tell-event.command.ts'
import { countUntoldUses, isFirstUseOfHour, listLinkedStudies } from './link-session.sql.ts'
import { type EndedUpload, endQuietUploads } from './ended-upload.sql.ts'
import { expectImages, isNews, noteFirstImage, type OpenRequest } from './link-upload.sql.ts'
import { findUseNotice, listUntold, noteBegun, noteEnded, type UseNotice } from './use-notice.sql.ts'

/**
 * Notes that an image of an announced study came: the number of images to expect, and the news for those who are told.
 * Asked for after each image, of which the first alone writes. Locks the record before the rows of the request, as the
 * end of an upload does.
 * @param isNew it was not there before: the same image over and over is no news
 */
export async function noteArrived(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { link_uuid: linkUuid, namespace_uuid }: Pick<OpenRequest, 'link_uuid' | 'namespace_uuid'>,
  studyUid: string,
  announced: number,
  isNew: boolean,
): Promise<void> {
  if (!(await isNews(db, linkUuid, studyUid, isNew))) return
  await db.transaction().execute(async (tx) => {
    await expectImages(tx, { link_uuid: linkUuid, namespace_uuid, study_uid: studyUid }, announced)
    await noteFirstImage(tx, linkUuid, studyUid)
    await tellBegun(tx, linkUuid, publicAddress(config, nobodyAsks))
  })
}

/** Tells of the first image that comes by a request, once. @param address of the web app */
async function tellBegun(tx: Tx, linkUuid: string, address: string): Promise<void> {
  const to = await noteBegun(tx, linkUuid)
  if (to) await mailTo(tx, to, requestAnsweredMail(requestsAddress(address, to), 'begun'))
}

/** Tells that nothing comes any more of what began to come by a request, once for each time that more came, and whether images lack. */
export async function tellEnded(tx: Tx, linkUuid: string, address: string): Promise<void> {
  const to = await noteEnded(tx, linkUuid)
  if (to)
    await mailTo(tx, to, requestAnsweredMail(requestsAddress(address, to), to.is_incomplete ? 'incomplete' : 'ended'))
}

/** Tells that a link to studies was opened, once in an hour: whoever has the address opens it as often as the person likes. */
export async function tellOpened(tx: Tx, linkUuid: string, address: string): Promise<void> {
  if (!(await isFirstUseOfHour(tx, linkUuid))) return
  await tellEvent(tx, 'LINK_OPEN', await listLinkedStudies(tx, linkUuid))
  const to = await findUseNotice(tx, linkUuid)
  if (to) await mailTo(tx, to, linkOpenedMail(address, await countUntoldUses(tx, linkUuid)))
}

/** Tells webhooks that all of a study has come by a request, and of which; `uuid` null where it is not there any more. */
export async function tellUploaded(tx: Tx, { uuid, said_by: saidBy, ...place }: EndedUpload): Promise<void> {
  const { account_uuid, phi_namespace } = place
  await tellEvent(tx, 'STUDY_UPLOAD_END', [{ account_uuid, phi_namespace }], saidBy)
  if (uuid) await tellEvent(tx, 'STUDY_UPLOAD_LINK', [studyOrPlace({ ...place, uuid })], saidBy)
}

/** Requests whose end is told at once. */
const mostAtOnce = 100

/** Ends uploads by requests whose sender went away, and tells of them. Runs every few seconds; twice does no harm. */
export async function endAbandonedUploads(services: Pick<Services, 'db' | 'config'>): Promise<void> {
  const address = publicAddress(services.config, nobodyAsks)
  await services.db.transaction().execute(async (tx) => {
    const ended = await endQuietUploads(tx)
    for (const one of ended) await tellUploaded(tx, one)
    const untold = await listUntold(tx, mostAtOnce)
    // in one order, as another worker may lock the same requests
    const links = new Set([...ended.map((one) => one.link_uuid), ...untold])
    for (const linkUuid of [...links].toSorted()) await tellEnded(tx, linkUuid, address)
  })
}

/** No request says by which address the installation is known. */
const nobodyAsks = { host: '', isHttps: false }

function requestsAddress(address: string, { group_uuid: group }: UseNotice): string {
  return group ? screenAt(address, '/group/$groupId/{-$state}', { groupId: group, state: 'Pending Requests' }) : address
}

async function mailTo(tx: Tx, { account_uuid: accountUuid, notify }: UseNotice, text: MailText): Promise<void> {
  for (const recipient of notify) await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...text })
}
