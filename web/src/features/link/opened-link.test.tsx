import type { LinkedStudy } from '@hilum/contract/calls/link-open'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { OpenedLinkPage } from './opened-link.tsx'

const opened = { message: '', account_name: 'Demo', expires_at: '2026-03-11 10:00:00.000000+00', download: 0 }

function show(of: Partial<LinkedStudy> = {}) {
  return showSignedIn(<OpenedLinkPage sid="sid1" viewerAddress={() => 'about:blank'} onEnded={() => {}} />, {
    'link/studies': { ...opened, studies: [makeStudy(of)] },
  })
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
