import { DicomReadError } from '@hilum/dicom/read-error'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { factsOfHeader } from '../storage/image-facts.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { type RecordKey, storeAccessions } from '../storage/record-images.sql.ts'
import { readInstanceStart } from './corrected-instance.ts'
import type { Services } from '../../services.ts'
import type { OutgoingRecord } from './outgoing-record.sql.ts'

/** Accession numbers under which images of a record leave with its corrections. */
export function outgoingAccessions(
  { one_accession, accession_number, edits }: Pick<OutgoingRecord, 'one_accession' | 'accession_number' | 'edits'>,
  images: readonly Pick<StoredInstance, 'accession_number'>[],
): string[] {
  if (one_accession) return [accession_number]
  const edit = edits.find(({ tag }) => tag === 'accession_number')
  const numbers = images.map((one) => one.accession_number ?? '')
  return [...new Set(numbers.map((number) => (number === edit?.old ? accession_number : number)))]
}

/** The same images, each with its accession number. Images that came before the index kept it are read once. */
export async function withAccessions(
  { db, store }: Pick<Services, 'db' | 'store'>,
  record: RecordKey,
  images: readonly StoredInstance[],
): Promise<StoredInstance[]> {
  const known: StoredInstance[] = []
  const read: { version: string; accession_number: string }[] = []
  for (const one of images) {
    const accession_number = one.accession_number ?? (await readAccession(store, one))
    if (one.accession_number === null) read.push({ version: one.version, accession_number })
    known.push({ ...one, accession_number })
  }
  if (read.length > 0) await storeAccessions(db, record, read)
  return known
}

/** Empty where the header is damaged. */
async function readAccession(store: ObjectStore, instance: StoredInstance): Promise<string> {
  try {
    return factsOfHeader((await readInstanceStart(store, instance)).header).demographics.accession_number
  } catch (error) {
    if (error instanceof DicomReadError) return ''
    throw error
  }
}
