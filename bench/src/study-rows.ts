import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { foldText } from '@hilum/dicom/person-name'
import { randomFrom } from '@hilum/dicom/synthetic/random'

/** Values of one row, for queries that find something. */
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
  let studyColumns: readonly string[] = []
  let storedStudyColumns: readonly string[] = []
  /** Writes one row and gives the names of its columns. */
  const write = async (stream: typeof study, row: Readonly<Record<string, string | number>>) => {
    if (
      !stream.write(`${Object.values(row).join('	')}
`)
    )
      await once(stream, 'drain')
    return Object.keys(row)
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
    studyColumns = await write(study, {
      phi_namespace: namespace,
      uuid: randomUUID(),
      study_uid: uid,
      storage_namespace: namespace,
      account_uuid: place.accountUuid,
      patient_name: name,
      search: foldText(name),
      patientid: sample.patientId,
      patient_birth_date: day(place.now - whole(80 * 365) * 86_400_000),
      patient_sex: pick(['M', 'F', 'O']),
      accession_number: sample.accession,
      study_description: pick(descriptions),
      study_date: sample.studyDate,
      study_time: '123000',
      modality,
      modalities: `{${modality}}`,
      referring_physician: `${pick(lastNames)}^${pick(firstNames)}`,
      arrival: 'complete',
      status: random() < 0.9 ? 'done' : 'new',
      tags: `{${own.join(',')}}`,
      created: stamp,
      updated: stamp,
    })
    storedStudyColumns = await write(stored, {
      storage_namespace: namespace,
      study_uid: uid,
      account_uuid: place.accountUuid,
      image_count: 1 + whole(900),
      series_count: 1 + whole(6),
      size: whole(400_000_000),
    })
  }
  await Promise.all([study, stored].map((stream) => once(stream.end(), 'finish')))
  return { ...files, studyColumns, storedStudyColumns, samples }
}
