import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { OpenedRequest } from './opened-request.tsx'
import { buildPlan, listStudies } from './upload-plan.ts'
import { initialUpload, useUpload } from './upload-store.ts'

const asked = {
  account_name: 'Northside',
  namespace_name: 'Emergency',
  requested_by: 'Mel Tanaka',
  message: '',
  expected: null,
  sender: '',
  by_share_code: 1,
  confirm_before_upload: 1,
  expires_at: '2026-12-01 10:00:00.000000+00',
  studies: [],
}
const header = {
  studyUid: 's1',
  seriesUid: 's1.1',
  sopInstanceUid: 's1.1.1',
  patientName: 'DOE^JANE',
  patientId: 'M1',
  patientIdIssuer: '',
  patientBirthDate: '19800521',
  patientSex: 'F',
  studyDate: '20240131',
  studyTime: '',
  studyDescription: 'HEAD',
  accessionNumber: '',
  referringPhysician: '',
  modality: 'CT',
  seriesNumber: 1,
  seriesDescription: 'AXIAL',
}

beforeEach(() => useUpload.setState(initialUpload, true))

function find() {
  const plan = buildPlan([{ path: 'cd/1', file: new File(['x'], '1'), header }])
  act(() =>
    useUpload.setState({
      step: 2,
      search: { kind: 'found', exams: { plan, skipped: [], others: [] } },
      selected: new Set(listStudies(plan).map((study) => study.studyUid)),
    }),
  )
}
const begun = () => sentCalls.filter(({ path }) => path === 'link/upload/begin')

test('by a share code says where it goes, and sends once the sender said that the exams are the right ones', async () => {
  showSignedIn(<OpenedRequest sid="sid1" onEnded={() => undefined} />, { 'link/request': asked })
  expect(await screen.findByRole('heading', { name: 'Send exams to Emergency of Northside' })).toBeDefined()
  find()
  await userEvent.type(screen.getByRole('textbox', { name: /Your name/ }), 'Clinic West')
  await userEvent.click(screen.getByRole('button', { name: 'Send 1 exam' }))
  expect(screen.getByText('Say that you have looked at them.')).toBeDefined()
  expect(begun()).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /I have looked at these exams/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Send 1 exam' }))
  await waitFor(() => expect(begun()).toHaveLength(1))
})

test('of a person asks in that name, and for nothing to be confirmed', async () => {
  const reply = { ...asked, by_share_code: 0, confirm_before_upload: 0 }
  showSignedIn(<OpenedRequest sid="sid1" onEnded={() => undefined} />, { 'link/request': reply })
  expect(await screen.findByRole('heading', { name: 'Mel Tanaka of Northside asks you for an exam' })).toBeDefined()
  find()
  expect(screen.queryByRole('checkbox', { name: /I have looked/ })).toBeNull()
})
