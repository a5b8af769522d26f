import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { resetUpload } from '../../../test/reset-upload.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { UploadWizard } from './upload-wizard.tsx'

const group = (name: string, designation: string, permissions: Record<string, number>) => ({
  uuid: `ns-${name}`,
  name,
  type: 'group_id',
  type_uuid: `g-${name}`,
  permissions,
  settings: { inbox_config: { group_designation: designation, active_study_filters: [] } },
})

beforeEach(resetUpload)

test('[PERM-14] exams can be sent to cloud groups where the person may upload, and nowhere else', async () => {
  const namespaces = [
    group('Clinic', 'CLOUD', { study_upload: 1 }),
    group('Ward', 'CLOUD', { study_upload: 1 }),
    group('Reading only', 'CLOUD', { study_view: 1 }),
    group('Teaching', 'LIBRARY', { study_upload: 1 }),
    group('Gate', 'GATEKEEPER', { study_upload: 1 }),
    { ...group('My studies', '', { study_upload: 1 }), type: 'user_id', settings: {} },
  ]
  showSignedIn(
    <Suspense>
      <UploadWizard onLeave={() => undefined} />
    </Suspense>,
    { 'user/namespace/list': { namespaces } },
  )
  await userEvent.click(await screen.findByRole('combobox', { name: 'Group' }))
  const options = await screen.findAllByRole('option', { hidden: true })
  expect(options.map(({ textContent }) => textContent)).toEqual(['Clinic', 'Ward'])
})

test('[UPLOAD-02] [UPLOAD-09] the only group there is is chosen and named, and can be looked at', async () => {
  const onLeave = vi.fn()
  showSignedIn(
    <Suspense>
      <UploadWizard onLeave={onLeave} />
    </Suspense>,
    {
      'user/namespace/list': {
        namespaces: [group('Clinic', 'CLOUD', { study_upload: 1 }), group('Teaching', 'LIBRARY', { study_upload: 1 })],
      },
    },
  )
  await screen.findByRole('heading', { name: 'Find the exams to upload' })
  expect(screen.getByText('To Clinic')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onLeave).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Destination' }))
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Group' }).value).toBe('Clinic')
})

test('[ERROR-11] a group that cannot be found is logged, and the first one stands in the field', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const namespaces = ['Clinic', 'Ward'].map((name) => group(name, 'CLOUD', { study_upload: 1 }))
  showSignedIn(
    <Suspense>
      <UploadWizard groupId="g-Gone" onLeave={() => undefined} />
    </Suspense>,
    { 'user/namespace/list': { namespaces } },
  )
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Group' })
  await waitFor(() => expect(field.value).toBe('Clinic'))
  expect(warn.mock.calls).toEqual([['Group lookup failed']])
})
