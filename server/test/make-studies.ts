import { randomUUID } from 'node:crypto'
import { foldText } from '@hilum/dicom/person-name'
import { sql } from 'kysely'
import type { Database } from '../src/db/database.ts'

export interface StudyFields {
  phi_namespace: string
  study_uid?: string
  patient_name?: string
  patientid?: string
  issuer?: string
  patient_birth_date?: string
  patient_sex?: string
  accession_number?: string
  study_description?: string
  study_date?: string
  modalities?: readonly string[]
  referring_physician?: string
  source_ae_title?: string
  destination_ae_title?: string
  tags?: readonly string[]
  thin?: boolean
  created?: string
}

/** Study records as if they had arrived whole, in one statement; their uuids in the order given. */
export async function makeStudies(
  db: Database,
  accountUuid: string,
  studies: readonly StudyFields[],
): Promise<string[]> {
  const rows = studies.map((one) => {
    const uuid = randomUUID()
    return {
      patientid: '',
      issuer: '',
      patient_birth_date: '',
      patient_sex: '',
      accession_number: '',
      study_description: '',
      study_date: '',
      referring_physician: '',
      source_ae_title: '',
      destination_ae_title: '',
      modalities: [],
      tags: [],
      thin: false,
      created: '2026-01-01 12:00:00+00',
      study_uid: `2.25.${BigInt(`0x${uuid.replaceAll('-', '')}`)}`,
      ...one,
      uuid,
      patient_name: one.patient_name ?? '',
      search: foldText(one.patient_name ?? ''),
      modality: one.modalities?.join('/') ?? '',
    }
  })
  await sql`
    insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, patientid, issuer,
      patient_birth_date, patient_sex, accession_number, study_description, study_date, modality, modalities,
      referring_physician, source_ae_title, destination_ae_title, tags, thin, arrival, created, updated)
    select phi_namespace, uuid, study_uid, phi_namespace, ${accountUuid}, patient_name, search, patientid, issuer,
      patient_birth_date, patient_sex, accession_number, study_description, study_date, modality, modalities,
      referring_physician, source_ae_title, destination_ae_title, tags, thin, 'complete', created, created
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (phi_namespace uuid, uuid uuid, study_uid text,
      patient_name text, search text, patientid text, issuer text, patient_birth_date text, patient_sex text,
      accession_number text, study_description text, study_date text, modality text, modalities text[],
      referring_physician text, source_ae_title text, destination_ae_title text, tags text[], thin boolean,
      created timestamptz)
  `.execute(db)
  await sql`
    insert into study_source (phi_namespace, study_uuid, storage_namespace)
    select phi_namespace, uuid, phi_namespace
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (phi_namespace uuid, uuid uuid)
  `.execute(db)
  return rows.map((one) => one.uuid)
}

/** Stored studies for all records there are, as if their images had come to each itself; so many images are counted. */
export async function storeMadeStudies(db: Database, images = 0): Promise<void> {
  await sql`
    insert into stored_study (storage_namespace, study_uid, account_uuid, image_count, series_count)
    select storage_namespace, study_uid, account_uuid, ${images}, ${images}
    from study
  `.execute(db)
}
