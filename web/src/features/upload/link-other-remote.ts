import { announceByLink, askForImages, linkRemote, type SenderWords } from './link-remote.ts'
import type { OtherFiles } from './other-files.ts'
import { tagsOf } from './other-remote.ts'
import { type MadeImage, sendToWrapByLink } from './send-wrapped.ts'
import type { UploadVerdict } from './study-calls.ts'
import type { PlannedFile } from './upload-plan.ts'
import type { UploadRemote } from './upload-remote.ts'

/**
 * Uploads of pictures and documents by somebody who opened a request. The server makes them into images and names
 * these, so that the two lists are compared by the names and hashes that the server told.
 */
export function linkOtherRemote(sid: string, said: SenderWords, other: OtherFiles): UploadRemote {
  const { studyUid, exam, dateFormat, files } = other
  const tags = tagsOf(studyUid, exam, dateFormat)
  const made = new Map<PlannedFile, MadeImage[]>()
  const announced = files.filter((one) => one.isSelected).length
  return {
    ...linkRemote(sid, said),
    compare: async (_namespace, asked, _hashes, { ask }) => {
      const verdicts = new Map<PlannedFile, UploadVerdict>(
        asked.map((one) => [one, made.get(one)?.length ? 'have' : 'missing']),
      )
      const rows = asked.flatMap((one) => (made.get(one) ?? []).map((image) => ({ one, image })))
      const images = rows.map(({ image }) => ({ study_uid: studyUid, sop_uid: image.image_uid, sha256: image.sha256 }))
      const answers = await askForImages(sid, images, ask)
      for (const [k, { one }] of rows.entries()) if (answers[k] !== 'have') verdicts.set(one, 'missing')
      return { verdicts, elsewhere: new Map() }
    },
    send: async (_namespace, one, terms) => {
      made.set(one, await sendToWrapByLink({ file: one.file, tags, studyUid }, { sid, ...terms }))
      return { outcome: 'stored' }
    },
    finish: async (uuid, count, signal) => {
      // a TIFF file with several pages becomes several images
      const images = new Set([...made.values()].flatMap((all) => all.map((image) => image.image_uid))).size
      if (images > announced) {
        await announceByLink(sid, [{ study_uid: studyUid, image_count: images }], said, signal)
      }
      await linkRemote(sid, said).finish(uuid, count, signal)
    },
  }
}
