import type { Version } from './held-twice.ts'

/** A reader of one record: `from` are the namespaces that addresses of its images may name. */
export type Reader = {
  origin: string
  sid: string
  namespace: string
  from: readonly string[]
  /** Another record of the same namespace, for downloads of several. */
  beside?: { uuid: string; studyUid: string }
}

/** An image of any source; one that holds a document or a video has no pictures. */
export type Candidate = { sop: string; series: string; holds?: 'pdf' | 'video' }

/** The images of a record at one door: their SOP Instance UIDs, or how many images and series there are. */
export type Shown = {
  door: string
  sops?: readonly string[]
  images?: number
  series?: number
  /** The images that the door can show; without it all. */
  among?: readonly string[]
  seriesUids?: readonly string[]
  /** One image stands for all: it looks like these. */
  oneOf?: readonly string[]
  /** Names of the attached files. */
  files?: readonly string[]
  /** Whether the record itself is shown, of a door that shows no image. */
  isOpen?: boolean
  /** The versions of images that two sources hold, in any order; without it the door gives nothing of an image. */
  versions?: readonly Version[]
}

/** Asks at a door, as the reader. */
export type Get = (address: string, accept?: string) => Promise<Response>

/** The body of an answer; undefined for a refusal. */
export const json = async <T>(reply: Response): Promise<T | undefined> =>
  reply.status === 200 ? ((await reply.json()) as T) : undefined

export const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())

export const seriesOf = (candidates: readonly Candidate[]) => [...new Set(candidates.map((one) => one.series))]

/** The images and attached files that doors are to show; `candidates` are all that are asked for. */
export interface Expected {
  sops: readonly string[]
  candidates: readonly Candidate[]
  files?: readonly string[]
  /** Whether there is a record; without it, whether there are images. */
  isOpen?: boolean
  /** Of images that two sources hold, the version to be shown, by SOP Instance UID. */
  versions?: Readonly<Record<string, Version>>
}

/** Whether a door shows these images, all of them and no other, in the way that the door has. */
export function isShown(
  { sops, images, series, among, seriesUids, oneOf, files, isOpen, versions }: Shown,
  expected: Expected,
): boolean {
  const all = expected.sops.filter((sop) => !among || among.includes(sop)).toSorted()
  const inSeries = seriesOf(expected.candidates.filter(({ sop }) => all.includes(sop))).toSorted()
  const isSame = (one: readonly string[] | undefined, other: readonly string[]) =>
    one === undefined || (one.length === other.length && one.toSorted().every((value, index) => value === other[index]))
  return (
    isSame(sops, all) &&
    (images === undefined || images === all.length) &&
    (series === undefined || series === inSeries.length) &&
    isSame(seriesUids, inSeries) &&
    (oneOf === undefined || oneOf.some((sop) => all.includes(sop)) === all.length > 0) &&
    isSame(files, expected.files ?? []) &&
    isSame(
      versions,
      all.flatMap((sop) => expected.versions?.[sop] ?? []),
    ) &&
    (isOpen === undefined || isOpen === (expected.isOpen ?? all.length > 0))
  )
}
