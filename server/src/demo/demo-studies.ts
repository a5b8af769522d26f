import { type DemoStudy, demoStudies } from '@hilum/dicom/synthetic/demo'
import { findRecordByUid } from '../access/study-record.sql.ts'
import { deleteSetting } from '../areas/setting/setting.sql.ts'
import { completeStudy } from '../areas/ingest/complete-study.command.ts'
import { type ImageArrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../areas/ingest/receive-image.command.ts'
import type { Services } from '../services.ts'
import { type DemoGroup, demoAccount, demoEmail, demoGroups, demoPartners } from './demo-organisation.ts'
import { type DemoPlace, findDemoPlaces, findPendingDemo } from './demo.sql.ts'

/** Account setting that stays until the last demo study is in: a first start that was killed goes on the next time. */
export const demoStudiesSetting = 'demo_studies'

const parallelFiles = 8

/** The place of each study; the library holds one of its own making, so that its UIDs are its own. */
const placing: readonly { group: DemoGroup; seed: string; folders: readonly string[] }[] = [
  { group: 'emergency', seed: 'demo', folders: ['chest-ct-prior', 'chest-ct', 'echo'] },
  { group: 'outpatients', seed: 'demo', folders: ['skin-photo', 'head-mr'] },
  { group: 'library', seed: 'library', folders: ['head-mr'] },
]

/** The studies of the organisations outside, which they can send. */
const partnerFolders: readonly (readonly string[])[] = [['head-mr'], ['skin-photo']]

/** Takes the synthetic studies in by the same command as everybody's; one that is there already stays as it is. */
export async function addDemoStudies(services: Services): Promise<void> {
  const groupNames = demoGroups.map((group) => group.name)
  const uploader = demoEmail('administrator')
  const places = await findPendingDemo(services.db, demoStudiesSetting, demoAccount.name, groupNames, uploader)
  const [first] = places
  if (!first) return
  for (const { group, seed, folders } of placing) {
    const name = demoGroups.find((one) => one.key === group)?.name
    const place = places.find((one) => one.group_name === name)
    const made = demoStudies(seed, services.config.uidRoot)
    for (const folder of folders) {
      const found = made.find((one) => one.study.folder === folder)
      if (place && found) await takeIn(services, place, found)
    }
  }
  for (const [at, { name, group, domain, people }] of demoPartners.entries()) {
    const folders = partnerFolders[at] ?? []
    const login = `${people[0]?.login}@${domain}`
    const [place] = await findDemoPlaces(services.db, name, [group], login)
    const made = demoStudies(domain, services.config.uidRoot)
    for (const found of made) if (place && folders.includes(found.study.folder)) await takeIn(services, place, found)
  }
  await deleteSetting(services.db, 'account', first.account_uuid, demoStudiesSetting)
}

async function takeIn(services: Services, place: DemoPlace, { files }: DemoStudy): Promise<void> {
  const arrival: ImageArrival = {
    namespaceUuid: place.namespace_uuid,
    accountUuid: place.account_uuid,
    source: 'upload',
    actor: place.user_uuid,
    quietSeconds: UPLOAD_QUIET_SECONDS,
  }
  const waiting = files()
  let studyUid = ''
  const lane = async () => {
    for (const { bytes } of waiting) {
      const { facts } = await receiveImage(services, { ...arrival, contentLength: bytes.length }, only(bytes))
      studyUid = facts.studyUid
    }
  }
  await Promise.all(Array.from({ length: parallelFiles }, lane))
  const record = await findRecordByUid(services.db, place.namespace_uuid, studyUid)
  if (record?.arrival === 'receiving') {
    await services.db.transaction().execute((tx) => completeStudy(tx, record, new Date()))
  }
  services.events.ring()
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
