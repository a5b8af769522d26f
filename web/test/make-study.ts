import { otherDicomFields, type Study } from '@hilum/contract/entities/study'

const noOtherDicomFields = Object.fromEntries(otherDicomFields.map((tag) => [tag, ''])) as Record<
  (typeof otherDicomFields)[number],
  string
>

/** A whole study for tests: name what matters, the rest is quiet. */
export function makeStudy(given: Partial<Study> = {}): Study {
  return {
    uuid: crypto.randomUUID(),
    study_uid: '1.2.3',
    phi_namespace: 'p',
    phi_namespace_name: 'Neuro',
    storage_namespace: 's',
    engine_fqdn: '',
    viewer_link: '',
    patient_name: 'DOE^Jane',
    patientid: 'M1',
    issuer: '',
    mrn_outside: 0,
    patient_sex: 'F',
    patient_birth_date: '19800101',
    patient_birth_time: '',
    patient_age: '',
    ...noOtherDicomFields,
    accession_number: '',
    study_description: 'CT HEAD',
    study_date: '20260301',
    study_time: '',
    modality: 'CT',
    referring_physician: '',
    source: 'upload',
    source_ae_title: '',
    destination_ae_title: '',
    integration_key: '',
    phantom: 0,
    thin: 0,
    star: 0,
    must_approve: 0,
    is_locked: 0,
    locked_by_name: '',
    is_frozen: 0,
    is_deidentified: 0,
    is_being_retrieved: 0,
    has_direct_shares: 0,
    has_waiting_shares: 0,
    is_deleted: 0,
    image_count: 10,
    series_count: 1,
    attachment_count: 0,
    size: 1,
    study_status: null,
    study_push_status: [],
    tags: [],
    customfields: [],
    hl7: [],
    created: '2026-03-01 10:00:00.000000+00',
    updated: '2026-03-01 10:00:00.000000+00',
    created_by_name: '',
    arrival: 'complete',
    expected_count: null,
    mixed_patients: 0,
    conflict_count: 0,
    settled_count: 0,
    work_status: 'new',
    taken_by: null,
    taken_by_name: '',
    unread: 0,
    priority: 0,
    row_version: 1,
    ...given,
    permissions: ofStudies(given.permissions ?? {}),
  }
}

/** The flags that a study carries; all others are those of its place. */
function ofStudies(flags: Study['permissions']): Study['permissions'] {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => name.startsWith('study_')))
}
