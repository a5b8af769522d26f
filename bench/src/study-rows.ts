import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { foldText } from '@hilum/contract/search-text'
import { randomFrom } from '@hilum/dicom/synthetic/random'

/** What questions are made of: values that are in the rows. */
export type Sample = {
  accession: string
  lastName: string
  patientId: string
  studyDate: string
}

export type StudyRows = {
  /** Tab-separated, as COPY reads it. */
  studyFile: string
  storedStudyFile: string
  studyColumns: readonly string[]
  storedStudyColumns: readonly string[]
  samples: readonly Sample[]
}

const syllables =
  'AN BER CO DAL EN FAR GO HAL IN JO KA LO MAR NO OR PET QUI RO SAN TOR UL VAN WIL ZIM SON MANN LEY'.split(' ')
const modalities = ['CT', 'MR', 'US', 'CR', 'DX', 'MG', 'NM', 'PT', 'XA', 'RF', 'OT', 'SR']
const descriptions = [
  'CHEST W CONTRAST',
  'HEAD WO CONTRAST',
  'KNEE LEFT',
  'LUMBAR SPINE',
  'BREAST SCREENING',
  'FOLLOW UP',
]
export const tags = [
  'urgent',
  'review',
  'teaching',
  'trauma',
  'oncology',
  ...Array.from({ length: 200 }, (_, i) => `tag${i}`),
]
const YEARS_MS = 4 * 365 * 86_400_000
const SHARE_OF_LARGEST_GROUP = 0.3

const studyColumns = [
  ...['phi_namespace', 'uuid', 'study_uid', 'storage_namespace', 'account_uuid', 'patient_name', 'search', 'patientid'],
  ...['patient_birth_date', 'patient_sex', 'accession_number', 'study_description', 'study_date', 'study_time'],
  ...['modality', 'modalities', 'referring_physician', 'arrival', 'status', 'tags', 'created', 'updated'],
]
const storedStudyColumns = ['storage_namespace', 'study_uid', 'account_uuid', 'image_count', 'series_count', 'size']

/**
 * Writes made-up studies over the groups as two files. The first group has a third of them and the rest ever fewer;
 * names, tags and modalities are as uneven as in life: some common, most rare.
 */
export async function writeStudyRows(
  folder: string,
  count: number,
  place: { accountUuid: string; namespaces: readonly string[]; now: number },
): Promise<StudyRows> {
  const random = randomFrom(`bench/studies/${count}`)
  const whole = (below: number) => Math.floor(random() * below)
  const pick = <T>(values: readonly T[]) => values[whole(values.length)] as T
  /** Small numbers often, large ones seldom. */
  const skewed = (below: number) => Math.min(below - 1, Math.floor(below ** random()) - 1)
  const word = (length: number) => Array.from({ length }, () => pick(syllables)).join('')
  const lastNames = ['SMITH', 'JOHNSON', ...Array.from({ length: 8000 }, () => word(2 + whole(2)))]
  const firstNames = ['MARY', 'JOHN', ...Array.from({ length: 1500 }, () => word(1 + whole(2)))]
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
  const others = place.namespaces.length - 1
  const groupOf = () => (random() < SHARE_OF_LARGEST_GROUP ? 0 : 1 + skewed(others))

  const files = { studyFile: `${folder}/study.tsv`, storedStudyFile: `${folder}/stored-study.tsv` }
  const study = createWriteStream(files.studyFile, { mode: 0o644 })
  const stored = createWriteStream(files.storedStudyFile, { mode: 0o644 })
  const samples: Sample[] = []
  const write = async (stream: typeof study, cells: readonly unknown[]) => {
    if (!stream.write(`${cells.join('\t')}\n`)) await once(stream, 'drain')
  }
  for (let index = 0; index < count; index++) {
    const namespace = place.namespaces[groupOf()] ?? ''
    const created = place.now - Math.floor(YEARS_MS * (1 - index / count))
    const lastName = lastNames[skewed(lastNames.length)] ?? ''
    const name = `${lastName}^${firstNames[skewed(firstNames.length)]}`
    const sample = {
      accession: `A${10_000_000 + whole(90_000_000)}`,
      lastName,
      patientId: `MRN${String(whole(Math.ceil(count / 2.5))).padStart(8, '0')}`,
      studyDate: day(created - whole(30) * 86_400_000),
    }
    if (index % Math.ceil(count / 500) === 0) samples.push(sample)
    const uid = `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`
    const modality = modalities[skewed(modalities.length)] ?? ''
    const own =
      random() < 0.4 ? [...new Set(Array.from({ length: 1 + whole(3) }, () => tags[skewed(tags.length)]))] : []
    const stamp = new Date(created).toISOString()
    await write(study, [
      ...[namespace, randomUUID(), uid, namespace, place.accountUuid, name, foldText(name), sample.patientId],
      ...[day(place.now - whole(80 * 365) * 86_400_000), pick(['M', 'F', 'O']), sample.accession, pick(descriptions)],
      ...[sample.studyDate, '123000', modality, `{${modality}}`, `${pick(lastNames)}^${pick(firstNames)}`, 'complete'],
      ...[random() < 0.9 ? 'done' : 'new', `{${own.join(',')}}`, stamp, stamp],
    ])
    await write(stored, [namespace, uid, place.accountUuid, 1 + whole(900), 1 + whole(6), whole(400_000_000)])
  }
  await Promise.all([study, stored].map((stream) => once(stream.end(), 'finish')))
  return { ...files, studyColumns, storedStudyColumns, samples }
}
