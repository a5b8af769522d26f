import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, showSignedIn } from '../../../test/signed-in.tsx'
import { NamelessChoice } from './nameless-choice.tsx'

const place = {
  uuid: 'p',
  type: 'group_id',
  type_uuid: 'g',
  name: 'Neuro',
  settings: {},
  permissions: { study_view: 1, study_share: 1 },
}
const made = {
  uuid: 'c1',
  recipient: 'Trial A',
  pseudonym: 'ANON-7',
  study_id: 's2',
  copy_study_uid: '2.25.1',
  study_uid: '1.2.3',
  dates: 'MOVED',
  days: -7,
  state: 'made',
  message: '',
  images: 3,
  left_out: 0,
  created: '2026-03-04 10:00:00.000000+00',
  created_by_name: 'Mei Tanaka',
}
const seen = {
  digest: 'd',
  pseudonym: 'ANON-7',
  days: -7,
  image_count: 3,
  attributes: [{ tag: '00100010', keyword: 'PatientName', before: 'Doe^Jane', after: 'ANON-7', count: 3 }],
  texts: [{ keyword: 'SeriesDescription', text: 'Axial' }],
  pixels: [{ series_uid: '1', modality: 'US', count: 3 }],
  left_out: [{ reason: 'report', count: 1 }],
  attachments: 0,
}

/** An exam that is given away, and whose images may go meanwhile. */
function Exam() {
  const [count, setCount] = useState(3)
  const study = makeStudy({ uuid: 's1', phi_namespace: 'p', image_count: count })
  return (
    <>
      <button type="button" onClick={() => setCount(0)}>
        lose the images
      </button>
      <NamelessChoice study={study}>{(given) => <p>gives {given.uuid}</p>}</NamelessChoice>
    </>
  )
}

function show(copies: readonly object[] = [], preview: object = seen) {
  showSignedIn(<Exam />, {
    'user/namespace/list': { namespaces: [place] },
    'study/deidentify/list': { copies },
    'study/deidentify/preview': preview,
    'study/deidentify/add': { uuid: 'c1' },
    'study/deidentify/key': {
      images: [{ series_uid: '1.2.3.4', image_uid: '1.2.3.5', copy_series_uid: '2.25.4', copy_image_uid: '2.25.5' }],
    },
    'study/get': makeStudy({ uuid: 's2' }),
  })
}

test('SHARE-01 with names left behind nothing can be given away before a copy is chosen, and then the copy alone', async () => {
  show([made])
  await screen.findByText('gives s1')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Leave names behind' }))
  expect(screen.queryByText(/gives/)).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Give away this copy' }))
  await screen.findByText('gives s2')
  expect(screen.queryByText('gives s1')).toBeNull()
})

test('the exam itself is not given away when copies cannot be made any more while names are left behind', async () => {
  show([made])
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Leave names behind' }))
  await screen.findByRole('button', { name: 'Give away this copy' })
  await userEvent.click(screen.getByRole('button', { name: 'lose the images' }))
  expect(screen.queryByText('gives s1')).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Leave names behind' }))
  await screen.findByText('gives s1')
})

test('the copy is made after somebody has seen what leaves, and has looked at pictures that may hold text', async () => {
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Leave names behind' }))
  await userEvent.type(screen.getByLabelText('Recipient'), 'Trial A')
  await userEvent.click(screen.getByRole('button', { name: 'See what leaves' }))
  const table = await screen.findByRole('region', { name: 'Attributes that change' })
  expect(within(table).getAllByText('Doe^Jane')).toHaveLength(1)
  const make = screen.getByRole<HTMLButtonElement>('button', { name: 'Make the copy' })
  expect(make.disabled).toBe(true)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Axial' }))
  await userEvent.click(screen.getByRole('checkbox', { name: /I have looked/ }))
  await userEvent.click(make)
  expect(lastSent('study/deidentify/add')).toEqual({
    uuid: 's1',
    recipient: 'Trial A',
    dates: 'MOVED',
    digest: 'd',
    texts: ['Axial'],
    pixels_seen: 1,
  })
})

test('no copy is made of an exam of which nothing can leave, and the page says which kinds stay behind, and why', async () => {
  const kinds = [
    { reason: 'segmentation', count: 2 },
    { reason: 'radiotherapy', count: 1 },
  ]
  show([], { ...seen, pixels: [], left_out: kinds })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Leave names behind' }))
  await userEvent.type(screen.getByLabelText('Recipient'), 'Trial A')
  await userEvent.click(screen.getByRole('button', { name: 'See what leaves' }))
  await screen.findByText('Nothing of this exam can leave without names, so that no copy can be made of it.')
  screen.getByText(
    /3 objects stay behind: segmentations of surfaces, or with a segment that no public code names \(2\), radiotherapy plans, structures and doses \(1\)/,
  )
  screen.getByText(/^Copies hold images alone/)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make the copy' }).disabled).toBe(true)
})

test('the key of the images of a copy is saved, with the UIDs of both sides', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:key'
  })
  show([made, { ...made, uuid: 'c2', recipient: 'Trial B', state: 'making' }])
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Leave names behind' }))
  screen.getByText(/^Every UID is replaced.*What “Save which image is which” saves leads/)
  expect(screen.queryByRole('button', { name: 'Save which image is which in the copy for Trial B' })).toBeNull()
  await userEvent.click(
    await screen.findByRole('button', { name: 'Save which image is which in the copy for Trial A' }),
  )
  await vi.waitUntil(() => saved.length === 1)
  expect(lastSent('study/deidentify/key')).toEqual({ uuid: 's1', recipient: 'Trial A' })
  expect(await saved[0]?.text()).toContain('1.2.3,1.2.3.4,1.2.3.5,2.25.1,2.25.4,2.25.5')
  // each key says what it holds
  const keys = within(screen.getByRole('region', { name: 'Keys that lead back to the patient' }))
  keys.getByText(/^Beside each copy above. The UID of each series and image/)
  keys.getByText(/^For all copies above. Recipient and pseudonym beside the name and MRN of the patient/)
  await userEvent.click(screen.getByRole('button', { name: 'Save who the copies are of' }))
  await vi.waitUntil(() => saved.length === 2)
  expect(await saved[1]?.text()).toMatch(
    /^.*recipient,pseudonym,patient_name,patientid,study_uid,copy_study_uid,days,created/,
  )
})
