import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showRouted } from '../../../test/routed.tsx'
import { holdAnswers, lastSent, type Replies } from '../../../test/signed-in.tsx'
import { HeadActs } from './head-acts.tsx'
import { SeriesThumbnails } from './series-thumbnails.tsx'

const nobody = { places: 0, copies: 0, links: 0, pushed_to: [] as string[] }
const side = {
  images: 3,
  series: 1,
  attachments: 0,
  patient_name: 'MOSER^Anna',
  patientid: 'A1',
  issuer: '',
  patient_birth_date: '19500101',
  patient_sex: 'F',
  accession_number: '',
  study_description: 'Chest',
  study_date: '20260301',
  reach: nobody,
  obstacles: [] as string[],
}
const preview = {
  digest: 'digest-1',
  moves: side,
  stays: { ...side, images: 7, accession_number: 'ACC-1' },
  verdict: 'same',
  renamed_images: 0,
  renamed_series: 0,
  rest_images: 0,
  rest_series: 0,
  parted_series: 0,
  rest_shows: [] as object[],
}
const related = (uuid: string, more = {}) => ({
  verdict: 'same',
  reasons: [],
  study: {
    uuid,
    modality: 'CT',
    study_description: `Exam ${uuid}`,
    study_date: '20260301',
    image_count: 3,
    thin: 0,
    phi_namespace: 'n1',
    ...more,
  },
})

async function open(
  replies: Replies = {},
  permissions: Record<string, number> = { study_split: 1, study_edit: 1, study_upload: 1 },
) {
  const study = makeStudy({ uuid: 's1', phi_namespace: 'n1', image_count: 7, permissions })
  showRouted(<HeadActs study={study} designation="CLOUD" onDelete={() => {}} onMoved={() => {}} />, {
    'study/related': { related: [related('s2'), related('far', { phi_namespace: 'n2' })], more: 0 },
    'study/merge/preview': preview,
    'study/merge': { uuid: '00000000-0000-4000-8000-000000000001' },
    'study/split/list': { separations: [] },
    ...replies,
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Merge with another exam …' }))
  return within(await screen.findByRole('dialog', { name: 'Merge two exams' }))
}

test('the other exams of the patient in this place are listed, and one alone is chosen', async () => {
  const dialog = await open()
  expect(await dialog.findByText(/Exam s2/)).toBeDefined()
  expect(dialog.queryByText(/Exam far/)).toBeNull()
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Reason, for the record' }), ' Two orders ')
  await userEvent.click(dialog.getByRole('button', { name: 'Move 3 images' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('study/merge')).toEqual({
    uuid: 's1',
    secondary_uuid: 's2',
    digest: 'digest-1',
    reason: 'Two orders',
  })
})

test('a typed reason outlives a preview that cannot be read, and the choice of the exam that stays', async () => {
  let answer: unknown = preview
  const dialog = await open({ 'study/merge/preview': () => answer })
  const reason = () => dialog.findByRole('textbox', { name: 'Reason, for the record' })
  await userEvent.type(await reason(), 'Two orders')
  answer = 500
  await userEvent.click(dialog.getByRole('radio', { name: /^The other exam/ }))
  await dialog.findByText('It could not be read what would move.')
  answer = preview
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await reason()).toHaveProperty('value', 'Two orders')
  await userEvent.click(dialog.getByRole('button', { name: /^Move/ }))
  await waitFor(() => expect(lastSent('study/merge')).toMatchObject({ reason: 'Two orders' }))
})

const schema = {
  series: [
    {
      series_uid: '2.1',
      modality: 'CT',
      series_description: 'Lung',
      images: ['2.1.1', '2.1.2'].map((id) => ({ id, version: 'v' })),
    },
    { series_uid: '2.2', modality: 'CT', series_number: 4, images: [{ id: '2.2.1', version: 'v' }] },
  ],
}

test('series and single images are chosen, the preview tells what stays, and the choice is sent', async () => {
  const otherExam = [
    { field: 'study_date', before: '20260301', after: '20260302' },
    { field: 'modality', before: 'CT', after: '' },
  ]
  const dialog = await open({
    '/schema': schema,
    'study/merge/preview': ({ image_uids: sops }: { image_uids?: string[] }) => ({
      ...preview,
      moves: { ...side, images: sops?.length ? 2 : 1, reach: { ...nobody, places: 1, links: 1 } },
      ...(sops?.length ? { rest_images: 1, parted_series: 1 } : { rest_images: 2, rest_shows: otherExam }),
    }),
  })
  await userEvent.click(await dialog.findByRole('radio', { name: 'Chosen series or images' }))
  expect(dialog.getByText('Please choose a series or an image.')).toBeDefined()
  expect(dialog.queryByRole('button', { name: /^Move/ })).toBeNull()
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'CT Series 4 · 1 image' }))
  await waitFor(() =>
    expect(lastSent('study/merge/preview')).toEqual({
      uuid: 's1',
      secondary_uuid: 's2',
      series_uids: ['2.2'],
      image_uids: [],
    }),
  )
  expect(await dialog.findByText('2 images stay in the first exam.')).toBeDefined()
  const shown = dialog.getByText(/^What moves told which exam the first one shows/)
  expect(
    within(shown)
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual([expect.stringMatching(/^Study date: .*2026.* → .*2026/), expect.stringMatching(/^Modality: CT → /)])
  expect(dialog.getByText(/^1 other place has the first exam by a share, and will see it without these/)).toBeDefined()
  expect(dialog.getByText(/^1 link opens the first exam, and will show it without these images/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Single images of CT Lung' }))
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'Image 2' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Move 2 images' }))
  expect(dialog.queryByText(/^What moves told/)).toBeNull()
  await waitFor(() =>
    expect(lastSent('study/merge')).toEqual({
      uuid: 's1',
      secondary_uuid: 's2',
      digest: 'digest-1',
      reason: '',
      series_uids: ['2.2'],
      image_uids: ['2.1.2'],
    }),
  )
})

test('a choice that is no longer there stands in words, and one of the other direction begins anew', async () => {
  const dialog = await open({
    '/schema': schema,
    'study/merge/preview': ({ series_uids: uids }: { series_uids?: string[] }) =>
      uids ? { error_type: 'INVALID_FIELD', error_subtype: 'series_uids' } : preview,
  })
  await userEvent.click(await dialog.findByRole('radio', { name: 'Chosen series or images' }))
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'CT Lung · 2 images' }))
  expect(await dialog.findByText(/^Something that was chosen is no longer in the exam/)).toBeDefined()
  expect(dialog.queryByRole('button', { name: /^Move/ })).toBeNull()
  await userEvent.click(dialog.getByRole('radio', { name: 'The other exam' }))
  expect(await dialog.findByRole('checkbox', { name: 'CT Lung · 2 images' })).toHaveProperty('checked', false)
  expect(dialog.getByText('Please choose a series or an image.')).toBeDefined()
})

test('of several exams one is chosen before anything is read', async () => {
  const dialog = await open({ 'study/related': { related: [related('s2'), related('s3')], more: 0 } })
  await userEvent.click(await dialog.findByRole('radio', { name: /Exam s3/ }))
  await waitFor(() => expect(lastSent('study/merge/preview')).toEqual({ uuid: 's1', secondary_uuid: 's3' }))
})

test('the other exam may stay instead, and the preview is read for that', async () => {
  const dialog = await open()
  await userEvent.click(await dialog.findByRole('radio', { name: 'The other exam' }))
  await waitFor(() => expect(lastSent('study/merge/preview')).toEqual({ uuid: 's2', secondary_uuid: 's1' }))
})

test('another patient and whatever else is in the way stand in words, without a button to go on', async () => {
  const dialog = await open({
    'study/merge/preview': {
      ...preview,
      verdict: 'different',
      moves: { ...side, obstacles: ['other-patient', 'nominated'] },
      stays: { ...side, obstacles: ['hold'] },
    },
  })
  expect(await dialog.findByText(/^Compared, these are two different patients/)).toBeDefined()
  expect(dialog.getByText(/^The exam whose images move: The exam is nominated/)).toBeDefined()
  expect(dialog.getByText(/^The exam that stays: A legal hold/)).toBeDefined()
  expect(dialog.queryByRole('button', { name: /^Move/ })).toBeNull()
})

test('says whom a merge concerns on both sides, and what stays behind', async () => {
  const dialog = await open({
    'study/merge/preview': {
      ...preview,
      verdict: 'likely',
      moves: { ...side, attachments: 2, reach: { ...nobody, places: 1, links: 2 } },
      stays: { ...side, reach: { places: 2, copies: 1, links: 0, pushed_to: ['MAIN'] } },
      renamed_images: 1,
    },
  })
  const reach = within(await dialog.findByRole('region', { name: 'Whom this concerns' }))
  expect(reach.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    expect.stringMatching(/^1 other place has the first exam/),
    expect.stringMatching(/^2 other places have the exam that stays/),
    expect.stringMatching(/^2 links open the first exam/),
    expect.stringMatching(/^1 place keeps a copy/),
    expect.stringMatching(/^The exam that stays was sent to MAIN/),
    'Routing rules look at the exam that stays 15 minutes after the images moved. Undo is possible until something was sent or shared.',
    expect.stringMatching(/^1 image gets a new UID/),
    '2 attachments stay with the first exam.',
  ])
  expect(dialog.getByText(/both are likely the same patient/)).toBeDefined()
})

test('nothing is offered where no other exam of the patient is here, and the menu says so', async () => {
  const study = makeStudy({
    uuid: 's1',
    phi_namespace: 'n1',
    image_count: 7,
    permissions: { study_split: 1, study_edit: 1, study_upload: 1 },
  })
  showRouted(<HeadActs study={study} designation="CLOUD" onDelete={() => {}} onMoved={() => {}} />, {
    'study/related': { related: [related('far', { phi_namespace: 'n2' })], more: 0 },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  const item = await screen.findByRole('menuitem', { name: 'No other exam to merge with' })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(item)
  expect(item.isConnected).toBe(true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a merge that turns out to be of no use keeps the focus, and the arrows lead on from it', async () => {
  const study = makeStudy({
    uuid: 's1',
    phi_namespace: 'n1',
    image_count: 7,
    permissions: { study_split: 1, study_edit: 1, study_upload: 1, study_delete: 1 },
  })
  showRouted(<HeadActs study={study} designation="CLOUD" onDelete={() => {}} onMoved={() => {}} />, {
    'study/related': { related: [], more: 0 },
  })
  const letGo = holdAnswers('study/related')
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  await userEvent.keyboard('{ArrowDown}')
  const item = await screen.findByRole('menuitem', { name: 'Merge with another exam …' })
  await waitFor(() => expect(document.activeElement).toBe(item))
  letGo()
  await screen.findByRole('menuitem', { name: 'No other exam to merge with' })
  expect(document.activeElement).toBe(item)
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Delete exam' }))
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  expect(document.activeElement).toBe(item)
})

test('a patient whose other exams here are not among the first ones is told', async () => {
  const dialog = await open({ 'study/related': { related: [related('far', { phi_namespace: 'n2' })], more: 1 } })
  expect(await dialog.findByText(/^No other exam of this patient is in this place/)).toBeDefined()
})

test('an exam that changed meanwhile is read again, and a refusal stands in words', async () => {
  let reply: unknown = { error_type: 'STALE' }
  const dialog = await open({ 'study/merge': () => reply })
  await userEvent.click(await dialog.findByRole('button', { name: 'Move 3 images' }))
  expect(await dialog.findByText(/^An exam changed while you looked/)).toBeDefined()
  reply = { error_type: 'NOT_AVAILABLE', error_subtype: 'went-on' }
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Move 3 images' })).toHaveProperty('disabled', false))
  await userEvent.click(dialog.getByRole('button', { name: 'Move 3 images' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('were moved to another exam')
})

test.each([
  ['other', 'The images were moved to another exam of the patient.'],
  ['', 'The images were moved to another exam. Ask the place that shared this one.'],
  [undefined, 'No images have arrived yet.'],
])('an exam without images says where they are: %s', async (into, text) => {
  const study = makeStudy({ uuid: 's1', image_count: 0, ...(into === undefined ? {} : { merged_into: into }) })
  showRouted(<SeriesThumbnails study={study} />, {})
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryAllByRole('link', { name: 'Open the other exam' })).toHaveLength(into ? 1 : 0)
})
