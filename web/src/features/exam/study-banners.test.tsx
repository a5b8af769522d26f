import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, renderHook, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeNomination } from '../../../test/make-nomination.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { putSession } from '../../session/session-store.ts'
import { clearActMessages, useActMessages } from '../../state/act-messages.ts'
import { StudyBanners } from './study-banners.tsx'

const version = (name: string, isShown: number, isSettled = 0) => ({
  version: name,
  series_uid: '1.2',
  is_shown: isShown,
  is_settled: isSettled,
  arrived: '2026-03-01T10:00:00Z',
  source: 'dimse',
  source_name: isShown ? '' : 'CT_ROOM_2',
})
const comparison = {
  first: 'a',
  second: 'b',
  differences: [
    { path: '00081030', keyword: 'StudyDescription', vr: 'LO', first: 'Head', second: 'Neck' },
    { path: '00090010', keyword: '', vr: 'LO', first: null, second: 'VENDOR' },
  ],
  difference_count: 2,
  pixels_differ: 1,
  frames: [0],
}

let answers: Record<string, unknown>
let calls: { path: string; sent: Record<string, unknown> }[]
beforeEach(() => {
  calls = []
  answers = {}
  putSession({
    status: 'established',
    session: { sid: 's', settings: {}, account: { uuid: 'a' }, user: { uuid: 'u', time_zone: '' } } as never,
  }) // only what the banners read
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = address.replace('/api/v3/', '')
    const sent = JSON.parse(String(init.body)) as Record<string, unknown>
    calls.push({ path, sent })
    const answer = answers[`${path} ${String(sent['sop_uid'])}`] ?? answers[path] ?? {}
    const status = (answer as { error_type?: string }).error_type ? 412 : 200
    return Response.json({ status: status === 200 ? 'OK' : 'ERROR', ...answer }, { status })
  })
})
afterEach(() => vi.unstubAllGlobals())

function show(given: Partial<Study>, designation?: Designation, onWriteMrn?: () => void) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <StudyBanners
          study={makeStudy({ uuid: 'x', permissions: { study_edit: 1 }, ...given })}
          designation={designation}
          onWriteMrn={onWriteMrn}
        />
      </MantineProvider>
    </QueryClientProvider>,
  )
}
const conflicts = (...sopUids: string[]) => ({
  more: 0,
  conflicts: sopUids.map((sop_uid) => ({ sop_uid, versions: [version('a', 1), version('b', 0)] })),
})
const openComparison = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Compare' }))
  return screen.findByRole('region', { name: 'Images with different content' })
}

test('two different images of one name stand side by side with what differs, and one is kept by a button', async () => {
  answers['study/conflicts'] = conflicts('1.1', '1.9')
  answers['study/conflicts 1.1'] = { ...conflicts('1.1'), comparisons: [comparison] }
  show({ conflict_count: 2 })
  expect(screen.getByText(/^2 images arrived again with different content/)).toBeDefined()
  const region = await openComparison()
  await within(region).findByText('The pictures differ.')
  const rows = within(region).getAllByRole('row').slice(1)
  expect(rows.map((row) => row.textContent)).toEqual(['Study DescriptionHeadNeck', '00090010(absent)VENDOR'])
  const [shown, beside] = within(region).getAllByRole('listitem') as [HTMLElement, HTMLElement]
  expect(shown.textContent).toContain('Shown')
  expect(beside.textContent).toContain('From CT_ROOM_2')
  expect(within(shown).getByRole('img').getAttribute('src')).not.toBe(
    within(beside).getByRole('img').getAttribute('src'),
  )
  await userEvent.click(within(beside).getByRole('button', { name: 'Keep this one' }))
  expect(calls.find(({ path }) => path === 'study/conflict/settle')?.sent).toMatchObject({
    uuid: 'x',
    sop_uid: '1.1',
    series_uid: '1.2',
    version: 'b',
  })
})

test('a choice that was not saved is told, and pictures that cannot be compared say so', async () => {
  answers['study/conflicts'] = conflicts('1.1')
  answers['study/conflicts 1.1'] = { ...conflicts('1.1'), comparisons: [] }
  answers['study/conflict/settle'] = { error_type: 'INVALID_PARAMETERS' }
  show({ conflict_count: 1 })
  const region = await openComparison()
  await within(region).findByText(/What differs cannot be told/)
  await userEvent.click(within(region).getAllByRole('button', { name: 'Keep this one' })[1] as HTMLElement)
  expect(await within(region).findByText(/The choice was not saved\./)).toBeDefined()
})

test('who may not change the study sees the difference and no choice', async () => {
  answers['study/conflicts'] = conflicts('1.1')
  answers['study/conflicts 1.1'] = { ...conflicts('1.1'), comparisons: [{ ...comparison, pixels_differ: 0 }] }
  show({ conflict_count: 1, permissions: { study_edit: 0 } })
  const region = await openComparison()
  await within(region).findByText('Study Description')
  expect(within(region).queryByText('The pictures differ.')).toBeNull()
  expect(within(region).queryByRole('button', { name: 'Keep this one' })).toBeNull()
})

test('settled images are told quietly and offer the other one only', async () => {
  const settled = [version('a', 1, 1), version('b', 0, 1)]
  answers['study/conflicts'] = { more: 0, conflicts: [{ sop_uid: '1.1', versions: settled }] }
  show({ settled_count: 1 })
  expect(screen.getByText('1 image that arrived again with different content is settled.')).toBeDefined()
  const region = await openComparison()
  expect(within(region).getAllByRole('button', { name: 'Keep this one' })).toHaveLength(1)
})

const deleted = { uuid: 'old', deleted_at: '2026-02-01T09:30:00Z', deleted_by_name: 'Mei Tanaka' }

test('a study deleted before says when and by whom, and restores the old images beside', async () => {
  answers['study/revive'] = { access: { shares: 0, links: 0, expired: 1, ended: 0, one_patient: 0 } }
  show({ deleted_before: [deleted] as never }) // as the call gives them to who may restore
  expect(
    screen.getByText(/deleted before, on .* by Mei Tanaka\. It holds only the images that came since/),
  ).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Restore the old images too' }))
  await vi.waitFor(() => expect(calls.find(({ path }) => path === 'study/revive')?.sent['uuid']).toBe('old'))
  const messages = renderHook(useActMessages).result
  const details = ['No share or link gives access again: 1 expired meanwhile.']
  await vi.waitFor(() => expect(messages.current).toMatchObject([{ text: '1 exam was restored', details }]))
  clearActMessages()
})

test('old images of somebody else are not restored, and the banner says why', async () => {
  answers['study/revive'] = { error_type: 'CAN_NOT_REVIVE', error_subtype: 'identity' }
  show({ deleted_before: [{ ...deleted, deleted_by_name: '' }] as never }) // as above
  expect(screen.getByText(/deleted before, on /).textContent).not.toContain(' by ')
  await userEvent.click(screen.getByRole('button', { name: 'Restore the old images too' }))
  expect((await screen.findByRole('alert')).textContent).toContain('another patient')
})

test('a study with nothing to know has no banner', () => {
  show({})
  expect(screen.queryByRole('status')).toBeNull()
})

test('[LIST-06] images that came after the exam was sent are told, and sent by a button of who may', async () => {
  const sent = {
    destination_uuid: 'd',
    destination_name: 'ARCHIVE',
    status: 'S' as const,
    status_reason: null,
    is_overtaken: 0,
    wants_reason: 0,
    question: '',
    commitment: null,
    commitment_reason: null,
  }
  const push = { ...sent, image_count: 4, late_image_count: 2, created: '', updated: '' }
  show({
    study_push_status: [push, { ...push, destination_uuid: 'e', late_image_count: 0 }],
    permissions: { study_push: 1 },
  })
  expect(screen.getAllByText(/images? came since/).map((one) => one.textContent)).toEqual([
    '2 images came since the exam was sent to ARCHIVE.',
  ])
  answers['study/push'] = { error_type: 'PENDING' }
  await userEvent.click(screen.getByRole('button', { name: 'Send these to ARCHIVE' }))
  expect(calls.at(-1)).toMatchObject({ path: 'study/push', sent: { uuid: 'x', destination_id: 'd', late_images: 1 } })
  expect(await screen.findByText('The exam is on its way there already.')).toBeDefined()
})

test('[NOMINATE-08] the place that nominated an exam is told of late images as well, and that its gatekeeper group sends them', () => {
  const sent = { state: 'completed', destination_name: 'MAIN_PACS', late_image_count: 2 } as const
  show({ nomination: makeNomination(sent), permissions: { study_push: 1 } })
  expect(screen.getByText(/^2 images came since Gateway sent the exam to MAIN PACS\. Gateway sees this/)).toBeDefined()
  expect(screen.queryByRole('button', { name: /Send these/ })).toBeNull()
})

test('[PROCESS-01] an exam of a gatekeeper group without a nomination says what to do', () => {
  const words = /came here without a nomination/
  show({}, 'GATEKEEPER')
  expect(screen.getByText(words)).toBeDefined()
  cleanup()
  show({}, 'CLOUD')
  expect(screen.queryByText(words)).toBeNull()
  cleanup()
  show({ nomination: makeNomination({ side: 'gate' }) }, 'GATEKEEPER')
  expect(screen.queryByText(words)).toBeNull()
})

test('who may not send sees late images without a button', () => {
  const push = {
    destination_uuid: 'd',
    destination_name: 'ARCHIVE',
    status: 'S' as const,
    status_reason: null,
    is_overtaken: 0,
    wants_reason: 0,
    question: '',
    commitment: null,
    commitment_reason: null,
  }
  show({
    study_push_status: [{ ...push, image_count: 4, late_image_count: 1, created: '', updated: '' }],
    permissions: {},
  })
  expect(screen.getByText('1 image came since the exam was sent to ARCHIVE.')).toBeDefined()
  expect(screen.queryByRole('button', { name: /Send these/ })).toBeNull()
})

const series = {
  series_uid: '1.2',
  modality: 'CT',
  series_number: 4,
  description: 'Head',
  sop_uid: '1.9',
  version: 'v',
}
const named = {
  patient_name: 'MOSER^Anna',
  patientid: 'A1',
  issuer: 'CLINIC',
  patient_birth_date: '19500101',
  patient_sex: 'F',
  spellings: 2,
  is_unclear: 0,
  images: 3,
  series: [{ ...series, images: 3, is_shared: 1 }],
  more_series: 0,
}
const nameless = { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '', spellings: 1 }

test('who may edit a study of mixed patients sees whom its images name, and where that is unclear', async () => {
  answers['study/patients'] = {
    patients: [
      named,
      { ...named, ...nameless, is_unclear: 1, images: 1, series: [{ ...series, images: 1, is_shared: 0 }] },
    ],
    unread: 2,
  }
  show({ mixed_patients: 1 })
  await userEvent.click(screen.getByRole('button', { name: 'Show whom' }))
  const region = await screen.findByRole('region', { name: 'Patients whom the images name' })
  const anna = await within(region).findByRole('region', { name: 'MOSER, Anna' })
  expect(anna.textContent).toContain('MRN A1 (CLINIC)')
  expect(anna.textContent).toContain('written in 2 ways')
  expect(within(anna).getByText('Others of this series name somebody else')).toBeDefined()
  const other = within(region).getAllByRole('region')[1] as HTMLElement
  expect(other.textContent).toContain('These images say too little')
  expect(other.textContent).toContain('no MRN')
  expect(within(region).getByText(/^2 images are told of nowhere/)).toBeDefined()
  await userEvent.click(within(region).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region')).toBeNull()
})

test('says when the patients of the images cannot be read, and reads them again', async () => {
  answers['study/patients'] = { error_type: 'FAILED' }
  show({ mixed_patients: 1 })
  await userEvent.click(screen.getByRole('button', { name: 'Show whom' }))
  await screen.findByText('It could not be read whom the images name.')
  answers['study/patients'] = { patients: [named], unread: 0 }
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/^All images name one patient/)).toBeDefined()
})

test('who may not edit a study of mixed patients is warned alone', () => {
  show({ mixed_patients: 1, permissions: {} })
  expect(screen.getByText(/^This study holds images of more than one patient/)).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

test('an exam whose images carry several MRNs tells them, and leads to where the one of all is written', async () => {
  const write = vi.fn()
  show({ patientid: 'M1', image_mrns: ['M1', 'M7'] }, 'CLOUD', write)
  expect(screen.getByText(/^Images of this study carry several MRNs: M1, M7\. It goes to no PACS/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Show whom' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Write the MRN' }))
  expect(write).toHaveBeenCalledTimes(1)
})

test('a gatekeeper group is told under which of several MRNs all images are sent', () => {
  show({ patientid: 'M1', image_mrns: ['M1', 'M7'] }, 'GATEKEEPER', () => undefined)
  expect(screen.getByText(/carry several MRNs: M1, M7\. All are sent under M1/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Write the MRN' })).toBeNull()
})
