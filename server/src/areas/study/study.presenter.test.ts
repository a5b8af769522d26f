import { randomUUID } from 'node:crypto'
import { type Permission, permissions } from '@hilum/contract/permissions'
import type { FieldFlags } from '@hilum/contract/study-field-access'
import { describe, expect, it } from 'vitest'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import type { StudyRow } from './study-rows.sql.ts'

const [uuid, account, phi, storage, field, locked] = Array.from({ length: 6 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

/** A finished exam of which nothing special is to be said. */
const plain: StudyRow = {
  uuid,
  account_uuid: account,
  customfields: {},
  study_uid: '1.2.3',
  phi_namespace: phi,
  phi_namespace_name: 'Radiology',
  storage_namespace: storage,
  patient_name: 'Doe^Jane',
  patientid: '4711',
  issuer: 'NORTH',
  mrn_outside: false,
  patient_sex: 'F',
  patient_birth_date: '19700203',
  patient_birth_time: '0815',
  patient_age: '054Y',
  demographics: {},
  accession_number: 'A1',
  study_description: 'HEAD',
  study_date: '20260301',
  study_time: '1200',
  modality: 'MR',
  modalities: ['MR'],
  referring_physician: 'Roe^R',
  source: 'upload',
  source_ae_title: 'FROM',
  destination_ae_title: 'TO',
  integration_key: 'key',
  share_message: 'Please look',
  thin: false,
  must_approve: false,
  is_frozen: false,
  is_nameless: false,
  mixed_patients: false,
  has_direct_shares: false,
  has_waiting_shares: false,
  deleted: false,
  arrival: 'complete',
  expected_count: 48,
  status: 'in_progress',
  taken_by: 'taker',
  taken_by_name: 'Ann Reader ',
  priority: 2,
  attachment_count: 3,
  tags: ['urgent'],
  row_version: 7,
  created: '2026-03-01 10:00:00.000000+00',
  updated: '2026-03-02 10:00:00.000000+00',
  created_by_name: ' Max Sender',
  image_count: 48,
  series_count: 4,
  size: 4096,
  conflict_count: 5,
  settled_count: 6,
  starred: false,
  unread: false,
  locked: false,
  locked_by_name: ' ',
  deleted_at: null,
  deleted_by_name: null,
  pushes: null,
  nomination: null,
  deleted_before: null,
  retraction: null,
  newer_uuid: null,
}

function definition(fieldUuid: string, more: Partial<CustomFieldRow> = {}): CustomFieldRow {
  return {
    uuid: fieldUuid,
    account_uuid: account,
    name: `Field ${fieldUuid}`,
    object: 'Study',
    type: 'text',
    display_order: 1,
    required: false,
    options: null,
    ui_json: null,
    field_flag: '',
    extra: {},
    ...more,
  }
}

interface Viewer {
  held?: readonly Permission[]
  flags?: FieldFlags
  fields?: readonly CustomFieldRow[]
}

function show(change: Partial<StudyRow> = {}, { held = [], flags = {}, fields = [] }: Viewer = {}) {
  const role = { permissions: new Set(held), fieldFlags: flags }
  return presentStudy({ ...plain, ...change }, role, 'engine.example', new Map([[account, fields]]))
}

describe('a study on the wire', () => {
  it('says what its record says, under the names of the public API', () => {
    const { permissions: held, ...study } = show({ demographics: { patient_weight: '70', patient_phone: '555' } })
    expect(study).toMatchObject({
      uuid,
      study_uid: '1.2.3',
      phi_namespace: phi,
      phi_namespace_name: 'Radiology',
      storage_namespace: storage,
      engine_fqdn: 'engine.example',
      viewer_link: `/proviewer/#study/${storage}/1.2.3/${phi}`,
      patient_name: 'Doe^Jane',
      patientid: '4711',
      issuer: 'NORTH',
      patient_sex: 'F',
      patient_birth_date: '19700203',
      patient_birth_time: '0815',
      patient_age: '054Y',
      patient_weight: '70',
      patient_phone: '555',
      patient_address: '',
      accession_number: 'A1',
      study_description: 'HEAD',
      study_date: '20260301',
      study_time: '1200',
      modality: 'MR',
      referring_physician: 'Roe^R',
      source: 'upload',
      source_ae_title: 'FROM',
      destination_ae_title: 'TO',
      integration_key: 'key',
      image_count: 48,
      series_count: 4,
      attachment_count: 3,
      size: 4096,
      study_status: null,
      study_push_status: [],
      tags: ['urgent'],
      customfields: [],
      customfield_h: {},
      hl7: [],
      created: '2026-03-01 10:00:00.000000+00',
      updated: '2026-03-02 10:00:00.000000+00',
      created_by_name: 'Max Sender',
      arrival: 'complete',
      expected_count: 48,
      conflict_count: 5,
      settled_count: 6,
      work_status: 'in_progress',
      taken_by: 'taker',
      taken_by_name: 'Ann Reader',
      priority: 2,
      row_version: 7,
      locked_by_name: '',
      is_being_retrieved: 0,
    })
    expect(Object.keys(held).every((name) => name.startsWith('study_'))).toBe(true)
  })

  it('without names of people has empty ones', () => {
    expect(show({ taken_by_name: null, created_by_name: null, locked_by_name: null })).toMatchObject({
      taken_by_name: '',
      created_by_name: '',
      locked_by_name: '',
    })
    expect(show({ locked: true, locked_by_name: ' Ann Editor' }).locked_by_name).toBe('Ann Editor')
  })

  it.each([
    [{ mrn_outside: true }, 'mrn_outside'],
    [{ thin: true }, 'thin'],
    [{ starred: true }, 'star'],
    [{ must_approve: true }, 'must_approve'],
    [{ locked: true }, 'is_locked'],
    [{ is_frozen: true }, 'is_frozen'],
    [{ is_nameless: true }, 'is_deidentified'],
    [{ has_direct_shares: true }, 'has_direct_shares'],
    [{ deleted: true }, 'is_deleted'],
    [{ mixed_patients: true }, 'mixed_patients'],
    [{ unread: true }, 'unread'],
    [{ arrival: 'announced' }, 'phantom'],
    [{ arrival: 'receiving' }, 'phantom'],
  ] as const)('with %o says so by %s alone', (change, name) => {
    const flags = [
      'mrn_outside',
      'thin',
      'star',
      'must_approve',
      'is_locked',
      'is_frozen',
      'is_deidentified',
      'has_direct_shares',
      'is_deleted',
      'mixed_patients',
      'unread',
      'phantom',
    ] as const
    const shown = show(change)
    expect(flags.map((flag) => [flag, shown[flag]])).toEqual(flags.map((flag) => [flag, flag === name ? 1 : 0]))
  })

  it('given up as incomplete is waited for no longer', () => {
    expect(show({ arrival: 'incomplete' }).phantom).toBe(0)
  })

  it('that began with a report is called by its images', () => {
    expect(show({ modality: 'SR', modalities: ['SR', 'CT'] }).modality).toBe('CT')
  })

  it('of a share brings the message of the share, others none', () => {
    expect(show({ source: 'share' }).share_message).toBe('Please look')
    expect(show()).not.toHaveProperty('share_message')
  })

  it('that was deleted says when, by whom, and where the study is again', () => {
    expect(show()).not.toHaveProperty('deleted_at')
    const deleted = { deleted_at: '2026-03-03', newer_uuid: 'newer' }
    expect(show({ ...deleted, deleted_by_name: 'Dee Leter ' })).toMatchObject({
      ...deleted,
      deleted_by_name: 'Dee Leter',
    })
    expect(show({ ...deleted, deleted_by_name: null }).deleted_by_name).toBe('')
  })

  it('tells of deletions before only to people who may restore, of waiting ones only to people who approve', () => {
    const before = [
      { uuid: 'open', deleted_at: '2026-01-02', deleted_by_name: 'Dee', must_approve: false },
      { uuid: 'waiting', deleted_at: '2026-01-01', deleted_by_name: 'Dee', must_approve: true },
    ]
    const [open, waiting] = before.map(({ uuid, deleted_at, deleted_by_name }) => ({
      uuid,
      deleted_at,
      deleted_by_name,
    }))
    const shown = (held: readonly Permission[], deleted_before: StudyRow['deleted_before'] = before) =>
      show({ deleted_before }, { held })
    expect(shown(['study_approve'])).not.toHaveProperty('deleted_before')
    expect(shown(['study_delete']).deleted_before).toEqual([open])
    expect(shown(['study_delete', 'study_approve']).deleted_before).toEqual([open, waiting])
    expect(shown(['study_delete'], null)).not.toHaveProperty('deleted_before')
  })
})

describe('what a role holds', () => {
  it('is told flag by flag', () => {
    const { permissions: held } = show({}, { held: ['study_view', 'study_edit', 'account_edit'] })
    const told = Object.entries(held).filter(([, value]) => value === 1)
    expect(told.map(([name]) => name).sort()).toEqual(['study_edit', 'study_view'])
    expect(Object.keys(held)).toEqual(permissions.filter((name) => name.startsWith('study_')))
    expect(new Set(Object.values(held))).toEqual(new Set([0, 1]))
  })

  it('is one object for all studies of a role, so that long lists stay small', () => {
    const role = { permissions: new Set<Permission>(['study_view']), fieldFlags: {} }
    const [one, other] = [plain, { ...plain, uuid: randomUUID() }].map((row) => presentStudy(row, role, '', new Map()))
    expect(one?.permissions).toBe(other?.permissions)
  })

  it('says which fields it leaves', () => {
    const flags: FieldFlags = { study_field_patient_name: 'O' }
    expect(show({}, { flags }).permissions).toMatchObject({ study_field_patient_name: 'O', study_view: 0 })
  })
})

describe('fields that a role does not see', () => {
  it('are empty, with all that would tell them', () => {
    const flags: FieldFlags = { study_field_patientid: 'H', study_field_study_date: 'H' }
    const shown = show({ mrn_outside: true, demographics: { patientid_other: '815' } }, { flags })
    expect(shown).toMatchObject({
      patientid: '',
      issuer: '',
      patientid_other: '',
      mrn_outside: 0,
      study_date: '',
      study_time: '',
    })
    expect(shown.patient_name).toBe('Doe^Jane')
  })

  it('are left out where an account defined them', () => {
    const hidden: FieldFlags = { [`study_field_customfield_${locked}`]: 'H' }
    const row = { customfields: { [field]: 'seen', [locked]: 'secret' } }
    const shown = show(row, { flags: hidden, fields: [definition(field), definition(locked)] })
    expect(shown.customfields?.map((one) => [one.uuid, one.value])).toEqual([[field, 'seen']])
    expect(shown.customfield_h).toEqual({ [field]: 'seen' })
    expect(JSON.stringify(shown)).not.toContain('secret')
  })
})

describe('custom fields', () => {
  it('are shown filled or not, each as it is defined', () => {
    const fields = [definition(field, { required: true, options: { values: ['a'] }, ui_json: { a: 1 } })]
    expect(show({}, { fields }).customfields).toEqual([
      {
        uuid: field,
        name: `Field ${field}`,
        type: 'text',
        value: '',
        required: 1,
        options: { values: ['a'] },
        ui_json: { a: 1 },
      },
    ])
    expect(show({ account_uuid: randomUUID() }, { fields }).customfields).toEqual([])
  })

  it('are required where the role or the definition says so', () => {
    const flags: FieldFlags = { [`study_field_customfield_${field}`]: 'R' }
    const shown = show({}, { flags, fields: [definition(field), definition(locked)] })
    expect(shown.customfields?.map((one) => [one.uuid, one.required])).toEqual([
      [field, 1],
      [locked, 0],
    ])
  })

  it('for reading only by their definition are so in the permissions', () => {
    const fields = [definition(field, { field_flag: 'O' }), definition(locked)]
    const { permissions: held } = show({}, { fields, held: ['study_view'] })
    expect(held).toMatchObject({ [`study_field_customfield_${field}`]: 'O', study_view: 1 })
    expect(held).not.toHaveProperty(`study_field_customfield_${locked}`)
  })
})

describe('a study of which fields are asked for', () => {
  it('has these alone, and passes over names that are no field', () => {
    expect(narrowStudy(show(), ['patient_name', 'uuid', 'constructor', 'nothing'])).toEqual({
      uuid,
      patient_name: 'Doe^Jane',
    })
    expect(narrowStudy(show(), [])).toEqual({})
  })

  it('brings custom fields by uuid on demand only', () => {
    const study = show({ customfields: { [field]: 'x' } }, { fields: [definition(field)] })
    expect(narrowStudy(study, undefined)).not.toHaveProperty('customfield_h')
    expect(narrowStudy(study, undefined)).toHaveProperty('patient_name', 'Doe^Jane')
    expect(narrowStudy(study, undefined, true).customfield_h).toEqual({ [field]: 'x' })
    expect(narrowStudy(study, ['customfield_h'])).toEqual({ customfield_h: { [field]: 'x' } })
    const without = { ...study }
    delete without.customfield_h
    expect(narrowStudy(without, undefined, true)).not.toHaveProperty('customfield_h')
  })
})
