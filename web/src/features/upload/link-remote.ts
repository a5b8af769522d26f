import { linkUploadBegin, linkUploadCheck, linkUploadEnd, maxLinkChecked } from '@hilum/contract/calls/link-upload'
import { ApiFailure } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { findHashes } from './hash-file.ts'
import { SendFault } from './send-fault.ts'
import { sendImageByLink } from './send-image.ts'
import { sendTogetherByLink } from './send-together.ts'
import type { Ask, UploadVerdict } from './study-calls.ts'
import { countImages, type PlannedFile } from './upload-plan.ts'
import type { UploadRemote } from './upload-remote.ts'

/** Studies announced in one call. */
const ANNOUNCED_AT_ONCE = 100

/** The words of whoever sends: a name, and values of the custom fields that are asked for, by uuid. */
export interface SenderWords {
  sender: string
  answers: Readonly<Record<string, string>>
}

/**
 * Uploads of somebody who opened a request. The server tells of images by their bytes alone, so each file is hashed before it
 * is sent; what it makes of a patient's number is the receiver's business.
 */
export function linkRemote(sid: string, said: SenderWords): UploadRemote {
  return {
    sayBegun: async () => undefined,
    announce: async (_namespace, studies, signal) => {
      for (let at = 0; at < studies.length; at += ANNOUNCED_AT_ONCE) {
        const part = studies
          .slice(at, at + ANNOUNCED_AT_ONCE)
          .map(({ study }) => ({ study_uid: study.studyUid, image_count: countImages(study) }))
        await announceByLink(sid, part, said, signal)
      }
      // the sender is told of no records: a study goes by its own UID
      return { uuids: new Map(studies.map(({ study }) => [study.studyUid, study.studyUid])), refused: new Map() }
    },
    compare: async (_namespace, files, hashes, { ask, signal }) => {
      const verdicts = new Map<PlannedFile, UploadVerdict>()
      // a file that cannot be read stays without a verdict: sending it tells why
      for (const [one, hash] of await findHashes(files, signal)) hashes.set(one, hash)
      const readable = files.filter((one) => hashes.has(one))
      const images = readable.map((one) => ({
        study_uid: one.studyUid,
        sop_uid: one.sopUid,
        sha256: hashes.get(one) ?? '',
      }))
      const answers = await askForImages(sid, images, ask)
      for (const [k, one] of readable.entries()) verdicts.set(one, answers[k] ?? 'missing')
      return { verdicts, elsewhere: new Map() }
    },
    send: (_namespace, { file, studyUid }, terms) => sendImageByLink({ file, studyUid }, { sid, ...terms }),
    sendTogether: (_namespace, files, terms) => sendTogetherByLink(files, { sid, ...terms }),
    finish: async (studyUid, _count, signal) => {
      await open(() => callApi(linkUploadEnd, { study_uid: studyUid }, { sid, signal }))
    },
    setMrn: async () => undefined,
    sayEnded: async () => undefined,
  }
}

/** Announces studies, or more images of one that was announced before. */
export async function announceByLink(
  sid: string,
  studies: { study_uid: string; image_count: number }[],
  { sender, answers }: SenderWords,
  signal: AbortSignal,
): Promise<void> {
  const fields = Object.fromEntries(Object.entries(answers).map(([uuid, value]) => [`customfield-${uuid}`, value]))
  await open(() => callApi(linkUploadBegin, { studies, sender, ...fields }, { sid, signal }))
}

/** The server's verdicts on images of announced studies, in the order asked. */
export async function askForImages(
  sid: string,
  asked: readonly { study_uid: string; sop_uid: string; sha256: string }[],
  ask: Ask,
): Promise<('have' | 'missing')[]> {
  const verdicts: ('have' | 'missing')[] = []
  for (let at = 0; at < asked.length; at += maxLinkChecked) {
    const images = asked.slice(at, at + maxLinkChecked)
    const reply = await ask((signal) => open(() => callApi(linkUploadCheck, { images }, { sid, signal })))
    verdicts.push(...images.map((_one, k) => reply.verdicts[k] ?? 'missing'))
  }
  return verdicts
}

/** A request that has ended lets nothing more be sent: no other try and no sign-in would help. */
async function open<Reply>(act: () => Promise<Reply>): Promise<Reply> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'EXPIRED') {
      throw new SendFault('not-permitted', error.status, error.code, { cause: error })
    }
    throw error
  }
}
