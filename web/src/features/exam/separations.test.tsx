import type { Separation } from '@hilum/contract/calls/study-split'
import type { Study } from '@hilum/contract/entities/study'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls } from '../../../test/signed-in.tsx'
import { StudyBanners } from './study-banners.tsx'

const permissions = { study_split: 1, study_edit: 1, study_upload: 1 }
const ann = {
  patient_name: 'MOSER^Anna',
  patientid: 'A1',
  issuer: '',
  patient_birth_date: '19500101',
  patient_sex: 'F',
}
const ben = { patient_name: 'ODUYA^Ben', patientid: 'B2', issuer: '', patient_birth_date: '19810707', patient_sex: 'M' }
const series = (uid: string, description: string, images: number) => ({
  series_uid: uid,
  modality: 'CT',
  series_number: 1,
  description,
  images,
  is_shared: 0,
  sop_uid: `${uid}.1`,
  version: 'v',
})
const facts = { spellings: 1, is_unclear: 0, more_series: 0 }
const patients = {
  patients: [
    { ...ann, ...facts, key: 'key-ann', images: 4, series: [series('1.1', 'Head', 4)] },
    { ...ben, ...facts, key: 'key-ben', images: 3, series: [series('1.2', 'Chest', 2), series('1.3', 'Neck', 1)] },
  ],
  unread: 0,
}
const nobody = { places: 0, copies: 0, links: 0, pushed_to: [] }
const preview = {
  digest: 'digest-1',
  moves: { images: 3, series: 2, patient: ben },
  stays: { images: 4, series: 1, patient: ann },
  exam: { accession_number: 'ACC', study_description: 'Chest', study_date: '20260301' },
  verdict: 'different',
  moves_mixed: 0,
  stays_mixed: 0,
  references_lost: 0,
  unread: 0,
  reach: nobody,
  obstacles: [],
}
const separation: Separation = {
  uuid: '00000000-0000-4000-8000-000000000001',
  kind: 'split',
  state: 'made',
  is_source: 1,
  other_uuid: 'new-exam',
  images: 3,
  done: 3,
  message: '',
  reason: 'Wrong scan',
  created: '2026-03-02 10:00:00.000000+00',
  created_by_name: 'Mei Tanaka',
  undo_obstacles: [],
}

function show(replies: Replies = {}, given: Partial<Study> = {}) {
  const study = makeStudy({ uuid: 's1', ...ann, image_count: 7, mixed_patients: 1, permissions, ...given })
  showRouted(<StudyBanners study={study} />, {
    'study/patients': patients,
    'study/split/preview': preview,
    'study/split/list': { separations: [] },
    'study/split': { uuid: separation.uuid },
    ...replies,
  })
}
async function openDialog() {
  await userEvent.click(await screen.findByRole('button', { name: 'Show whom' }))
  const other = await screen.findByRole('region', { name: 'ODUYA, Ben' })
  await userEvent.click(within(other).getByRole('button', { name: 'Separate these images …' }))
  return within(await screen.findByRole('dialog', { name: 'Separate images of ODUYA, Ben' }))
}
type Shown = Awaited<ReturnType<typeof openDialog>>
const go = (dialog: Shown) => dialog.findByRole('button', { name: /^Separate \d+ images?$/ })

test('images of another patient are separated with the values that a person confirmed', async () => {
  let separations: Separation[] = []
  const making: Separation = { ...separation, state: 'making', done: 1, other_uuid: '' }
  show({
    'study/split/list': () => ({ separations }),
    'study/split': () => {
      separations = [making]
      return { uuid: separation.uuid }
    },
  })
  const dialog = await openDialog()
  expect(
    within(screen.getByRole('region', { name: 'MOSER, Anna' })).queryByRole('button', { name: /^Separate/ }),
  ).toBeNull()
  expect(await dialog.findByText('Compared, these are two different patients.')).toBeDefined()
  const rows = dialog.getAllByRole('row').map((row) => row.textContent)
  expect(rows).toContain('Patient nameODUYA, BenMOSER, AnnaDifferent name')
  expect(rows).toContain('Images3 images in 2 series4 images in 1 series')
  const accession = dialog.getByRole('textbox', { name: 'Accession number' })
  expect(accession).toHaveProperty('value', 'ACC')
  await userEvent.clear(accession)
  await userEvent.type(accession, 'ACC-9')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason, for the record' }), ' Wrong scan ')
  await userEvent.click(await go(dialog))
  const list = await screen.findByRole('region', { name: 'Moved images' })
  expect(lastSent('study/split')).toEqual({
    uuid: 's1',
    move: [{ patient: 'key-ben' }],
    digest: 'digest-1',
    patient_name: 'ODUYA^Ben',
    patientid: 'B2',
    patient_birth_date: '19810707',
    patient_sex: 'M',
    accession_number: 'ACC-9',
    study_description: 'Chest',
    reason: 'Wrong scan',
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(list))
  expect(within(list).getByRole('progressbar', { name: 'Progress of the separation' })).toBeDefined()
  expect(within(list).getByText('1 of 3')).toBeDefined()
  separations = [separation]
  expect(await within(list).findByText(/^3 images were separated into another exam by Mei Tanaka/)).toBeDefined()
  expect(within(list).getByRole('link', { name: 'Open the new exam' }).getAttribute('href')).toContain('new-exam')
})

test('one series alone is separated where only that was chosen', async () => {
  show()
  const dialog = await openDialog()
  await userEvent.click(await dialog.findByRole('checkbox', { name: /CT Neck/ }))
  await waitFor(() =>
    expect(lastSent('study/split/preview')?.['move']).toEqual([{ patient: 'key-ben', series_uid: '1.2' }]),
  )
  await waitFor(async () => expect(await go(dialog)).toHaveProperty('disabled', false))
  await userEvent.click(dialog.getByRole('checkbox', { name: /CT Chest/ }))
  expect(await dialog.findByText('Please choose a series or an image.')).toBeDefined()
  expect(await go(dialog)).toHaveProperty('disabled', true)
  await userEvent.click(dialog.getByRole('checkbox', { name: /CT Chest/ }))
  await waitFor(async () => expect(await go(dialog)).toHaveProperty('disabled', false))
  await userEvent.click(await go(dialog))
  await waitFor(() => expect(lastSent('study/split')?.['move']).toEqual([{ patient: 'key-ben', series_uid: '1.2' }]))
})

test('typed words outlive a preview that cannot be read, and one that leaves nothing to separate', async () => {
  let answer: unknown = preview
  show({ 'study/split/preview': () => answer })
  const dialog = await openDialog()
  const reason = () => dialog.findByRole('textbox', { name: 'Reason, for the record' })
  const accession = () => dialog.findByRole('textbox', { name: 'Accession number' })
  await userEvent.type(await reason(), 'Wrong scan')
  await userEvent.type(await accession(), '-9')
  answer = 500
  await userEvent.click(await dialog.findByRole('checkbox', { name: /CT Neck/ }))
  await dialog.findByText('It could not be read what would move.')
  answer = { ...preview, stays: { ...preview.stays, images: 0 } }
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(dialog.queryByText('It could not be read what would move.')).toBeNull())
  answer = preview
  await userEvent.click(dialog.getByRole('checkbox', { name: /CT Neck/ }))
  await waitFor(async () => expect(await go(dialog)).toHaveProperty('disabled', false))
  expect(await reason()).toHaveProperty('value', 'Wrong scan')
  expect(await accession()).toHaveProperty('value', 'ACC-9')
})

test('single images of a series are separated, chosen by their pictures, and the others of it stay', async () => {
  const images = (...ids: string[]) => ids.map((id) => ({ id, version: 'v' }))
  show({
    '/schema': {
      series: [
        { series_uid: '1.1', images: images('1.1.1', '1.1.2', '1.1.3', '1.1.4') },
        { series_uid: '1.2', images: images('1.2.1', '1.2.2') },
        { series_uid: '1.3', images: images('1.3.1', '1.3.2') },
      ],
    },
    'study/patients': {
      ...patients,
      patients: patients.patients.map((one) => ({
        ...one,
        series: one.series.map((of) => (of.series_uid === '1.3' ? { ...of, is_shared: 1 } : of)),
      })),
    },
  })
  const dialog = await openDialog()
  await userEvent.click(await dialog.findByRole('button', { name: 'Single images of CT Chest' }))
  const chest = within(await dialog.findByRole('group', { name: 'Single images of CT Chest' }))
  expect(await chest.findAllByRole('checkbox', { checked: true })).toHaveLength(2)
  await userEvent.click(chest.getByRole('checkbox', { name: 'Image 1' }))
  expect(dialog.getByRole('checkbox', { name: 'CT Chest · 1 of 2 images' })).toHaveProperty('indeterminate', true)
  await waitFor(() =>
    expect(lastSent('study/split/preview')).toEqual({
      uuid: 's1',
      move: [{ patient: 'key-ben', series_uid: '1.3' }],
      image_uids: ['1.2.2'],
    }),
  )
  // of a series with images of others nothing is chosen until somebody says which
  await userEvent.click(dialog.getByRole('button', { name: 'Single images of CT Neck' }))
  const neck = within(await dialog.findByRole('group', { name: 'Single images of CT Neck' }))
  expect(neck.getByText(/^Images of other patients are in this series too/)).toBeDefined()
  expect(neck.queryAllByRole('checkbox', { checked: true })).toHaveLength(0)
  await userEvent.click(neck.getByRole('checkbox', { name: 'Image 2' }))
  await waitFor(async () => expect(await go(dialog)).toHaveProperty('disabled', false))
  await userEvent.click(await go(dialog))
  await waitFor(() => expect(lastSent('study/split')?.['image_uids']).toEqual(['1.2.2', '1.3.2']))
  expect(lastSent('study/split')).not.toHaveProperty('move')
})

test('says whom the separation concerns, and that the comparison takes both for one patient', async () => {
  show({
    'study/split/preview': {
      ...preview,
      verdict: 'likely',
      moves_mixed: 1,
      references_lost: 2,
      unread: 1,
      reach: { places: 2, copies: 1, links: 1, pushed_to: ['MAIN', 'ARCHIVE'] },
    },
  })
  const dialog = await openDialog()
  const reach = within(await dialog.findByRole('region', { name: 'Whom this concerns' }))
  expect(reach.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    expect.stringMatching(/^2 other places have the exam/),
    expect.stringMatching(/^1 place keeps a copy/),
    expect.stringMatching(/^1 link opens/),
    expect.stringMatching(/^The exam was sent to MAIN, ARCHIVE\./),
    'Routing rules look at the new exam 15 minutes after it is made. Undo is possible until something was sent or shared.',
    expect.stringMatching(/^2 objects refer/),
    '1 image cannot be read, and stays.',
  ])
  expect(dialog.getByText(/both are likely the same patient/)).toBeDefined()
  expect(dialog.getByText(/name several patients among themselves/)).toBeDefined()
})

test('an obstacle stands in words instead of the form, and is looked at again by a button', async () => {
  let obstacles = ['nominated', 'hold']
  show({ 'study/split/preview': () => ({ ...preview, obstacles }) })
  const dialog = await openDialog()
  expect(
    await dialog.findByText('The exam is nominated. Withdraw the nomination, or wait for its answer.'),
  ).toBeDefined()
  expect(dialog.getByText(/^A legal hold keeps/)).toBeDefined()
  expect(dialog.queryByRole('form')).toBeNull()
  obstacles = []
  await userEvent.click(dialog.getByRole('button', { name: 'Look again' }))
  expect(await go(dialog)).toBeDefined()
})

test('a preview that failed is read again, and a choice that leads nowhere says so', async () => {
  let reply: unknown = 500
  show({ 'study/split/preview': () => reply })
  const dialog = await openDialog()
  await dialog.findByText('It could not be read what would move.')
  reply = { error_type: 'INVALID_FIELD', error_subtype: 'move' }
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText(/^These images cannot be separated as chosen/)).toBeDefined()
  expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('images that changed meanwhile are read again, and the typed values stay', async () => {
  let digest = 'digest-1'
  show({
    'study/split/preview': () => ({ ...preview, digest }),
    'study/split': (sent: Record<string, unknown>) =>
      sent['digest'] === digest ? { uuid: separation.uuid } : { error_type: 'STALE' },
  })
  const dialog = await openDialog()
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Accession number' }), '-2')
  digest = 'digest-2'
  await userEvent.click(await go(dialog))
  expect(await dialog.findByText(/images of the exam changed while you looked/)).toBeDefined()
  await waitFor(async () => expect(await go(dialog)).toHaveProperty('disabled', false))
  await userEvent.click(await go(dialog))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('study/split')).toMatchObject({ digest: 'digest-2', accession_number: 'ACC-2' })
})

test('an MRN of somebody else asks for a reason, or goes back to that of the images', async () => {
  const holder = {
    ...ann,
    study_uuid: 'other',
    study_count: 1,
    verdict: 'different',
    reasons: ['name-different'],
  }
  show({
    'study/split': (sent: Record<string, unknown>) =>
      sent['patientid'] === 'A1' && !sent['mrn_reason']
        ? { error_type: 'MRN_HELD', error_data: { patientid: 'A1', holders: [holder], more: 0, elsewhere: 0 } }
        : { uuid: separation.uuid },
  })
  const dialog = await openDialog()
  const mrn = await dialog.findByRole('textbox', { name: 'MRN' })
  await userEvent.clear(mrn)
  await userEvent.type(mrn, 'A1')
  await userEvent.click(await go(dialog))
  await dialog.findByRole('heading', { name: 'Somebody else has MRN A1' })
  await userEvent.click(dialog.getByRole('button', { name: 'Keep B2' }))
  expect(await dialog.findByRole('textbox', { name: 'MRN' })).toHaveProperty('value', 'B2')
  await userEvent.clear(dialog.getByRole('textbox', { name: 'MRN' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'MRN' }), 'A1')
  await userEvent.click(await go(dialog))
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Reason, for the record' }), 'Shared number')
  await userEvent.click(dialog.getByRole('button', { name: 'Change the MRN all the same' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('study/split')).toMatchObject({ patientid: 'A1', mrn_reason: 'Shared number' })
})

test('values that images cannot hold are told at their field, typed or refused by the server', async () => {
  show({ 'study/split': { error_type: 'INVALID_FIELD', error_subtype: 'study_description' } })
  const dialog = await openDialog()
  const accession = await dialog.findByRole('textbox', { name: 'Accession number' })
  await userEvent.type(accession, '-longer-than-any-image-can-hold')
  expect(await dialog.findByText('At most 16 characters.')).toBeDefined()
  expect(await go(dialog)).toHaveProperty('disabled', true)
  await userEvent.clear(accession)
  await userEvent.click(await go(dialog))
  await dialog.findByText('Images cannot hold this value.')
  expect(dialog.getByRole('textbox', { name: 'Study description' }).getAttribute('aria-invalid')).toBe('true')
})

test('an obstacle that came meanwhile, and a refusal, are told where the images were to be separated', async () => {
  let reply: unknown = { error_type: 'NOT_AVAILABLE', error_subtype: 'pushing' }
  show({ 'study/split': () => reply })
  const dialog = await openDialog()
  await userEvent.click(await go(dialog))
  expect((await dialog.findByRole('alert')).textContent).toContain('The exam is being sent.')
  reply = { error_type: 'RUNNING' }
  await userEvent.click(await go(dialog))
  await dialog.findByText(/being separated already/)
  reply = { error_type: 'NOT_PERMITTED' }
  await userEvent.click(await go(dialog))
  await dialog.findByText(/Your role does not permit this/)
})

test('Undo puts images back, and what keeps it from being undone stands in words', async () => {
  let separations: Separation[] = [
    separation,
    { ...separation, uuid: 'two', undo_obstacles: ['shared', 'edited'] },
    { ...separation, uuid: 'three', state: 'undone', other_uuid: '' },
  ]
  show({ 'study/split/list': () => ({ separations }), 'study/split/undo': { uuid: 's1' } }, { mixed_patients: 0 })
  const list = within(await screen.findByRole('region', { name: 'Moved images' }))
  expect(screen.queryByText(/more than one patient/)).toBeNull()
  expect(list.getAllByText('Reason: Wrong scan')).toHaveLength(3)
  expect(
    list.getByText(
      /^Undo is not possible: the new exam is shared: end the shares first; the new exam was changed since$/,
    ),
  ).toBeDefined()
  expect(list.getByText('1 earlier move')).toBeDefined()
  separations = [{ ...separation, state: 'undone', other_uuid: '' }]
  await userEvent.click(list.getByRole('button', { name: 'Undo' }))
  expect(await list.findByText(/^3 images that Mei Tanaka separated on .* were put back\.$/)).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Moved images' }))
  expect(lastSent('study/split/undo')).toEqual({ uuid: 's1', separation_id: separation.uuid })
})

test('an undoing that is refused says what has happened since', async () => {
  show({
    'study/split/list': { separations: [{ ...separation, is_source: 0 }] },
    'study/split/undo': { error_type: 'NOT_AVAILABLE', error_subtype: 'images-came' },
  })
  const list = within(await screen.findByRole('region', { name: 'Moved images' }))
  expect(list.getByText(/^3 images were separated from another exam by Mei Tanaka/)).toBeDefined()
  await userEvent.click(list.getByRole('button', { name: 'Undo' }))
  expect((await list.findByRole('alert')).textContent).toContain('images came for the new exam since')
})

test('a separation that failed says why, and a list that cannot be read is read again', async () => {
  let reply: unknown = 500
  show({ 'study/split/list': () => reply })
  await screen.findByText('It could not be read which images were moved.')
  reply = { separations: [{ ...separation, state: 'failed', message: 'The exam is frozen' }] }
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  const told = await screen.findByRole('alert')
  expect(told.textContent).toContain('Nothing was moved.')
  expect(told.textContent).toContain('The exam is frozen')
})

test('who may not separate sees whom the images name, and asks for no separations', async () => {
  show({}, { permissions: { study_edit: 1 } })
  await userEvent.click(await screen.findByRole('button', { name: 'Show whom' }))
  await screen.findByRole('region', { name: 'ODUYA, Ben' })
  expect(screen.queryByRole('button', { name: /^Separate/ })).toBeNull()
  expect(sentCalls.some(({ path }) => path.startsWith('study/split'))).toBe(false)
})
