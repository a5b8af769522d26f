import { addressOf } from '@hilum/contract/route'
import { studySchema } from '@hilum/contract/routes/storage-studies'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { AttachedTo } from '../api/attachments.ts'
import { getStorage, namesOf } from '../api/storage.ts'
import { earlierCount } from './earlier-count.ts'

const attachment = z.object({
  id: z.string(),
  version: z.string(),
  filename: z.string(),
  size: z.number(),
  /** Epoch milliseconds. */
  stored: z.number(),
})
const schema = z.object({ attachments: z.array(attachment) })
export type ReceivedAttachment = z.infer<typeof attachment>

/** One attached file: its newest version and those before it. */
export interface ListedAttachment extends ReceivedAttachment {
  earlier: readonly ReceivedAttachment[]
}

/** First part of the key of a study's attachments. */
export const attachmentsKey = ({ storage_namespace, study_uid, phi_namespace, sid }: AttachedTo) => [
  'attachments',
  storage_namespace,
  study_uid,
  phi_namespace,
  ...(sid ? [sid] : []),
]

/** The files attached to a study, the one added last first. `count` in the key reads it again as they come and go. */
export const attachmentsQuery = (study: AttachedTo & { attachment_count: number }) => {
  const queryKey = [...attachmentsKey(study), study.attachment_count]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { attachments_only: '1', phi_namespace: study.phi_namespace }
      const address = addressOf(studySchema, namesOf(study), query)
      return byFile(schema.parse(await getStorage(address, signal, study.sid)).attachments)
    },
    placeholderData: earlierCount(queryKey),
  })
}

/** Versions of the same file under its newest. */
export function byFile(attachments: readonly ReceivedAttachment[]): ListedAttachment[] {
  const newestFirst = attachments.toSorted((a, b) => b.stored - a.stored)
  return [...Map.groupBy(newestFirst, ({ id }) => id).values()].flatMap(([newest, ...earlier]) =>
    newest ? [{ ...newest, earlier }] : [],
  )
}
