import { addressOf } from '@hilum/contract/route'
import { imageThumbnail } from '@hilum/contract/routes/storage-images'
import { studySchema } from '@hilum/contract/routes/storage-studies'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiFailure } from '../api/api-failure.ts'
import { getStorage, namesOf } from '../api/storage.ts'
import { earlierCount } from './earlier-count.ts'

/** The place of a study's bytes: what the storage API addresses it by. */
export interface StudyPlace {
  storage_namespace: string
  study_uid: string
  phi_namespace: string
  /** Session of an opened link, in place of the person's own. */
  sid?: string
}

const image = z.object({
  id: z.string(),
  version: z.string(),
  frame_count: z.optional(z.number()),
  instance_number: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  sop_class_uid: z.optional(z.nullable(z.string())),
})
export type StoredImage = z.infer<typeof image>
const schema = z.object({
  series: z.array(
    z.object({
      series_uid: z.string(),
      images: z.array(image),
      series_description: z.optional(z.nullable(z.string())),
      series_number: z.optional(z.nullable(z.union([z.string(), z.number()]))),
      modality: z.optional(z.nullable(z.string())),
      series_date: z.optional(z.nullable(z.string())),
      series_time: z.optional(z.nullable(z.string())),
    }),
  ),
})
export type SchemaSeries = z.infer<typeof schema>['series'][number]

/** The series and images that are stored. `imageCount` in the key reads it again as images arrive. */
export const studySchemaQuery = (study: StudyPlace, imageCount: number) => {
  const queryKey = ['study-schema', study.storage_namespace, study.study_uid, study.phi_namespace, imageCount]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const address = addressOf(studySchema, namesOf(study), { phi_namespace: study.phi_namespace })
      return schema.parse(await getStorage(address, signal, study.sid)).series
    },
    placeholderData: earlierCount(queryKey),
  })
}

/** Address of a picture of an image's frame; the cookie of the session opens it, so no secret stands in it. */
export function thumbnailAddress(study: StudyPlace, { id, version }: StoredImage, frame: number): string {
  const names = { ...namesOf(study), imageUid: id, version, frame: String(frame) }
  return addressOf(imageThumbnail, names, { depth: '8', phi_namespace: study.phi_namespace })
}

/** The picture of one of several images of the same name. */
export function versionAddress(study: StudyPlace, sopUid: string, version: string): string {
  return thumbnailAddress(study, { id: sopUid, version } as StoredImage, 0) // all that the address takes
}

const refusal = z.object({
  message: z.optional(z.string()),
  exception_data: z.optional(z.looseObject({ reason: z.optional(z.string()) })),
})

/**
 * Why a picture did not come: there is none in the object, what there was is lost or damaged, it cannot be drawn here, or it
 * did not arrive this time.
 */
interface PictureFault {
  kind: 'none' | 'damaged' | 'undrawable' | 'failed'
  /** The server's own sentence. */
  detail: string
}

/** Asks for a thumbnail that did not come once more, for the reason, which a picture element does not tell. */
export const pictureFaultQuery = (address: string) =>
  queryOptions({
    queryKey: ['picture-fault', address],
    queryFn: ({ signal }): Promise<PictureFault> =>
      getStorage(address, signal).then(
        () => ({ kind: 'failed', detail: '' }),
        (failure: unknown) => {
          if (signal.aborted) throw failure
          return faultOf(failure)
        },
      ),
    staleTime: Infinity,
    retry: false,
  })

function faultOf(failure: unknown): PictureFault {
  if (!(failure instanceof ApiFailure) || failure.status !== 406) return { kind: 'failed', detail: '' }
  const read = refusal.safeParse(parse(failure.data))
  const { message = '', exception_data: data } = read.success ? read.data : {}
  const kind = data?.reason === 'noPicture' ? 'none' : data?.reason === 'damaged' ? 'damaged' : 'undrawable'
  return { kind, detail: message }
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined // an error page of something in between
  }
}
