import { describe, expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../test/make-organisation.ts'
import { startTestApp } from '../../test/test-app.ts'

const { services, call } = await startTestApp()
const place = await makeOrganisation(services.db)
const [one, other] = [
  await place.addPerson({ role: 'Administrator' }),
  await place.addPerson({ role: 'Administrator' }),
]
const as = async (who: { sid: string }, path: string, sent: object) =>
  (await call(path, { sid: who.sid, ...sent })).body
const account_id = place.accountUuid

/** Something with a field that two people change; `set` writes the field, `beside` another one. */
interface Thing {
  field: string
  values: readonly [unknown, unknown, unknown]
  read: () => Promise<unknown>
  set: (value: unknown, seen?: object) => Promise<object>
  /** Absent where the field is the only one. */
  beside?: () => Promise<object>
}

const words = ['Mine', 'Later', 'Last'] as const

/** A thing that `{path}/get` reads and `{path}/set` writes. */
async function plain(path: string, id: object, field: string, beside: object): Promise<Thing> {
  return {
    field,
    values: words,
    read: async () => (await as(other, `${path}/get`, id))[field],
    set: (value, seen) => as(one, `${path}/set`, { ...id, [field]: value, ...(seen ? { seen } : {}) }),
    beside: () => as(one, `${path}/set`, { ...id, ...beside }),
  }
}

const things: Record<string, () => Promise<Thing>> = {
  role: async () => {
    const { uuid } = await as(one, 'role/add', { account_id, name: 'Readers' })
    return plain('role', { uuid }, 'description', { name: 'Other readers' })
  },
  group: async () => {
    const { uuid } = await as(one, 'group/add', { account_id, name: 'Emergency' })
    return plain('group', { uuid }, 'share_description', { name: 'Casualty' })
  },
  location: async () => {
    const { uuid } = await as(one, 'location/add', { account_id, name: 'North' })
    return plain('location', { uuid }, 'share_description', { name: 'South' })
  },
  customfield: async () => {
    const { uuid } = await as(one, 'customfield/add', { account_id, name: 'Ward', object: 'Study', type: 'text' })
    return plain('customfield', { uuid }, 'name', { display_order: 7 })
  },
  person: async () => {
    const { userUuid } = await place.addPerson()
    return plain('account/user', { uuid: account_id, user_id: userUuid }, 'last', { first: 'Eva' })
  },
  organisation: () => plain('account', { uuid: account_id }, 'share_description', { session_expire: 30 }),
  'setting of the organisation': async () => ({
    field: 'setting_help_address',
    values: ['https://one.example', 'https://two.example', 'https://three.example'],
    read: async () => (await as(other, 'account/get', { uuid: account_id })).settings.help_address ?? '',
    set: (value, seen) =>
      as(one, 'account/set', { uuid: account_id, setting_help_address: value, ...(seen ? { seen } : {}) }),
    beside: () => as(one, 'account/set', { uuid: account_id, setting_link_minutes: '60' }),
  }),
  'text to accept': async () => ({
    field: 'md5',
    values: words,
    read: async () => {
      const { texts } = await as(other, 'account/texts', { account_id })
      return texts.find((text: { kind: string }) => text.kind === 'terms')?.md5 ?? ''
    },
    set: (text, seen) => as(one, 'account/texts/set', { account_id, kind: 'terms', text, ...(seen ? { seen } : {}) }),
    beside: () => as(one, 'account/texts/set', { account_id, kind: 'privacy', text: 'Of privacy' }),
  }),
  'rules between organisations': async () => ({
    field: 'expires',
    values: [60, 120, 180],
    read: async () => (await as(other, 'account/connect/defaults', { account_id })).expires,
    set: (expires, seen) => as(one, 'account/connect/defaults', { account_id, expires, ...(seen ? { seen } : {}) }),
    beside: () => as(one, 'account/connect/defaults', { account_id, share_code: 'NORTH-77' }),
  }),
  destination: async () => {
    const sent = { account_id, name: 'Archive', aetitle: 'ARCHIVE', address: 'archive.example', port: 104 }
    const { uuid } = await as(one, 'destination/add', sent)
    return plain('destination', { uuid }, 'name', { can_push: 0 })
  },
  order: async () => {
    const { uuid } = await as(one, 'order/add', { account_id, patient_name: 'DOE^JO' })
    return plain('order', { uuid }, 'sending_facility', { patient_sex: 'F' })
  },
  'order in a custom field': async () => {
    const named = async (name: string) =>
      `customfield-${(await as(one, 'customfield/add', { account_id, name, object: 'Order', type: 'text' })).uuid}`
    const [field, other] = [await named('Side'), await named('Weight')]
    const { uuid } = await as(one, 'order/add', { account_id, patient_name: 'DOE^JO' })
    return {
      ...(await plain('order', { uuid }, field, { [other]: '70' })),
      read: async () => {
        const { customfields } = await as(one, 'order/get', { uuid })
        return customfields.find((kept: { uuid: string }) => field.endsWith(kept.uuid)).value
      },
    }
  },
  'step of an order': async () => {
    const { uuid: order } = await as(one, 'order/add', { account_id, patient_name: 'DOE^JO' })
    const { uuid } = await as(one, 'order/sps/add', { order_id: order })
    const field = 'requested_procedure_description'
    return {
      field,
      values: words,
      read: async () => (await as(other, 'order/get', { uuid: order })).sps[0][field],
      set: (value, seen) => as(one, 'order/sps/set', { uuid, [field]: value, ...(seen ? { seen } : {}) }),
      beside: () => as(one, 'order/sps/set', { uuid, modality: 'CT' }),
    }
  },
  'rule of retention': async () => ({
    field: 'retention_days',
    values: [10, 20, 30],
    read: async () => (await as(other, 'retention/get', { account_id })).retention_days,
    set: (days, seen) =>
      as(one, 'retention/set', { account_id, retention_days: String(days), ...(seen ? { seen } : {}) }),
  }),
  'date of retention': async () => {
    const group = await place.addGroup()
    const exam = await makeStudy(services.db, { ...group, accountUuid: account_id }, { patient_name: 'ROE^RO' })
    const study_id = exam.uuid
    return {
      field: 'retain_until',
      values: ['2390-01-01', '2391-01-01', '2392-01-01'],
      read: async () => {
        const { kept } = await as(other, 'retention/kept', { account_id })
        return kept.find((entry: { uuid: string }) => entry.uuid === study_id)?.until ?? null
      },
      set: (day, seen) =>
        as(one, 'retention/date', {
          account_id,
          study_id,
          retain_until: day,
          reason: 'A trial',
          ...(seen ? { seen } : {}),
        }),
    }
  },
}

describe.each(Object.entries(things))('two administrators at one %s', (_name, make) => {
  it('the later one is told of the other change, and decides', async () => {
    const { field, values, read, set, beside } = await make()
    const seen = { [field]: await read() }
    expect(await set(values[0], seen)).toMatchObject({ status: 'OK' })
    const mine = await read()
    expect(await set(values[1], seen)).toMatchObject({ error_type: 'STALE' })
    expect(await read()).toEqual(mine)
    // what the caller did not name may change meanwhile
    await beside?.()
    expect(await set(values[1], { [field]: mine })).toMatchObject({ status: 'OK' })
    expect(await set(values[2])).toMatchObject({ status: 'OK' })
    expect(await read()).not.toEqual(mine)
  })
})

it('a step that somebody else changed meanwhile is not taken off its order', async () => {
  const { uuid: order } = await as(one, 'order/add', { account_id, patient_name: 'DOE^JO' })
  const { uuid } = await as(one, 'order/sps/add', { order_id: order, modality: 'CT' })
  await as(one, 'order/sps/set', { uuid, modality: 'MR' })
  expect(await as(other, 'order/sps/delete', { uuid, seen: { modality: 'CT' } })).toMatchObject({ error_type: 'STALE' })
  expect(await as(other, 'order/sps/delete', { uuid, seen: { modality: 'MR' } })).toMatchObject({ status: 'OK' })
})

it('a form that sends back all that it read is refused by nobody’s change', async () => {
  const id = { uuid: (await as(one, 'group/add', { account_id, name: 'Ward' })).uuid }
  await as(one, 'group/set', { ...id, share_settings: { use: 1 }, dicom_allowed_peers: ['CT_1@10.1.0.0/16'] })
  const { status: _status, ...seen } = await as(one, 'group/get', id)
  expect(await as(one, 'group/set', { ...id, name: 'Emergency two', seen })).toMatchObject({ status: 'OK' })
  const role = place.roles.get('Staff')
  const { permissions, for_account } = await as(one, 'role/get', { uuid: role })
  const sent = { uuid: role, description: 'All who work here', seen: { permissions, for_account } }
  expect(await as(one, 'role/set', sent)).toMatchObject({ status: 'OK' })
})
