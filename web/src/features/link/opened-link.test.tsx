import type { LinkedStudy } from '@hilum/contract/calls/link-open'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { OpenedLinkPage } from './opened-link.tsx'

const opened = {
  message: '',
  account_name: 'Demo',
  expires_at: '2026-03-11 10:00:00.000000+00',
  download: 0,
  attachments: 0,
}

function show(of: Partial<LinkedStudy> = {}, more: object = {}) {
  return showSignedIn(
    <OpenedLinkPage
      sid="sid1"
      viewerAddress={() => 'about:blank'}
      files={({ uuid }, sid) => `files of ${uuid} by ${sid}`}
      onEnded={() => {}}
    />,
    {
      'link/studies': { ...opened, ...more, studies: [makeStudy(of)] },
    },
  )
}

test.each([
  ['receiving', 40, 60, 'Images are still arriving: 40 of 60.'],
  ['receiving', 61, 60, 'Images are still arriving: 61 so far.'],
  ['receiving', 3, null, 'Images are still arriving: 3 so far.'],
  ['incomplete', 40, 60, 'This study is incomplete: 40 of 60 images arrived.'],
  ['incomplete', 61, 60, 'This study is incomplete: not all announced images arrived. It shows 61.'],
] as const)('of an exam that is %s with %s images of %s says: %s', async (arrival, image_count, expected, words) => {
  show({ arrival, image_count, expected_count: expected })
  expect(await screen.findByText(words)).toBeDefined()
})

test('shows files and reports where the link gives them, once somebody looks, and nothing of them otherwise', async () => {
  const { unmount } = show({ uuid: 's1', patient_name: 'DOE^JANE' })
  await screen.findByRole('heading')
  expect(screen.queryByText('Files and reports')).toBeNull()
  unmount()
  show({ uuid: 's1' }, { attachments: 1 })
  const summary = await screen.findByText('Files and reports')
  expect(screen.queryByText('files of s1 by sid1')).toBeNull()
  await userEvent.click(summary)
  expect(await screen.findByText('files of s1 by sid1')).toBeDefined()
})
