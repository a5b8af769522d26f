import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { receiveImage } from '../src/areas/ingest/receive-image.command.ts'
import { makeNamelessActs } from '../src/areas/study/make-nameless.job.ts'
import { madeImage } from './made-image.ts'
import type { makeSharing } from './make-sharing.ts'
import type { TestApp } from './test-app.ts'

type Sharing = Awaited<ReturnType<typeof makeSharing>>
type Place = Awaited<ReturnType<Sharing['makePlace']>>

const ct = '1.2.840.10008.5.1.4.1.1.2'
const marked = [
  { tag: Tag.AccessionNumber, vr: 'SH', value: 'ZZMARK-77' },
  { tag: Tag.StudyDescription, vr: 'LO', value: 'Zzmark liver' },
  { tag: Tag.SeriesDescription, vr: 'LO', value: 'Axial' },
  { tag: Tag.InstitutionName, vr: 'LO', value: 'Clinic Zzmark' },
  { tag: Tag.ReferringPhysicianName, vr: 'PN', value: 'Zzmark^Doctor' },
  { tag: Tag.PatientComments, vr: 'LT', value: 'Zzmark lives here' },
  { tag: Tag.OriginalAttributesSequence, vr: 'SQ', value: [[{ tag: Tag.PatientName, vr: 'PN', value: 'Zzmark^Old' }]] },
  { tag: 0x00091001, vr: 'LO', value: 'Zzmark' },
]

const chosen = { recipient: 'Trial A', dates: 'MOVED' }

/** Studies of a patient whose names all hold `Zzmark`, and copies without names of them. */
export function makeNameless({
  services,
  call,
  query,
  accountUuid,
  received,
}: Pick<TestApp, 'services' | 'call' | 'query'> & Pick<Sharing, 'accountUuid' | 'received'>) {
  async function send(
    place: Place,
    more: Partial<Parameters<typeof madeImage>[0]> = {},
    count = 2,
    studyUid = newUid(),
  ) {
    for (let number = 1; number <= count; number += 1) {
      const image = madeImage({
        studyUid,
        number,
        patientName: 'Zzmark^Gerda',
        patientId: 'ZZMARK1',
        sopClassUid: ct,
        more: [{ tag: Tag.Modality, vr: 'CS', value: 'CT' }, ...marked],
        ...more,
      })
      const chunks = (async function* () {
        yield image
      })()
      const arrival = {
        namespaceUuid: place.group.namespaceUuid,
        accountUuid,
        source: 'upload' as const,
        quietSeconds: 30,
      }
      await receiveImage(services, { ...arrival, sourceName: '' }, chunks)
    }
    await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${studyUid}'`)
    return { studyUid, uuid: (await received(place, studyUid))?.uuid ?? '' }
  }

  async function preview(place: Place, uuid: string, more: object = {}) {
    return (await call('study/deidentify/preview', { sid: place.sid, uuid, ...chosen, ...more })).body as never as {
      status: string
      digest: string
      pseudonym: string
      days: number
      attributes: { keyword: string; before: string; after: string }[]
      texts: { keyword: string; text: string }[]
      pixels: unknown[]
      left_out: unknown[]
    }
  }
  async function make(place: Place, uuid: string, more: object = {}) {
    const { digest } = await preview(place, uuid, more)
    const { body } = await call('study/deidentify/add', { sid: place.sid, uuid, ...chosen, digest, ...more })
    return body as { status: string; error_type?: string; uuid: string }
  }
  /** Runs the work of a copy. */
  async function run(uuid: string, store = services.store): Promise<void> {
    await makeNamelessActs.run({ ...services, store }, { copyUuid: uuid }, {
      work: uuid,
      signal: new AbortController().signal,
    } as never)
  }
  /** Ends the work of a copy as the queue does when it has failed for good. */
  async function giveUp(uuid: string): Promise<void> {
    const failure = { error: 'NOT_READY', message: '' } as never
    await services.db.transaction().execute(async (tx) => {
      await makeNamelessActs.giveUp?.(tx, { copyUuid: uuid }, {} as never, failure)
    })
  }
  async function copies(place: Place, uuid: string) {
    const { body } = await call('study/deidentify/list', { sid: place.sid, uuid })
    return (
      body as {
        copies: {
          study_id: string
          copy_study_uid: string
          pseudonym: string
          days: number
          state: string
          images: number
          left_out: number
        }[]
      }
    ).copies
  }
  /** The store, and something that happens when pixels are first read, or later: as often until it does not give false. */
  function storeWith(happen: () => Promise<unknown>): typeof services.store {
    let isDone = false
    return new Proxy(services.store, {
      get(store, name) {
        const part: unknown = Reflect.get(store, name)
        if (name !== 'stream') return typeof part === 'function' ? part.bind(store) : part
        return async function* (...given: Parameters<typeof store.stream>) {
          if (!isDone) isDone = (await happen()) !== false
          yield* store.stream(...given)
        }
      },
    })
  }
  return { chosen, send, preview, make, run, giveUp, copies, storeWith }
}
