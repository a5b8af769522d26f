import { screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { LinkedFiles } from './linked-files.tsx'

afterEach(() => vi.unstubAllGlobals())

const file = { id: 'a1', version: 'v1', filename: 'referral.txt', size: 5, stored: 1_772_625_600_000 }

test('lists files of an opened link by the session of the link alone, and saves them by its address', async () => {
  const sids = new Set<string | null>()
  const answer = async (_address: string, init: RequestInit) => {
    sids.add(new Headers(init.headers).get('authorization'))
    return Response.json({ series: [], attachments: [file] })
  }
  const Shown = lazy(async () => {
    vi.stubGlobal('fetch', answer)
    return { default: LinkedFiles }
  })
  showSignedIn(
    <Suspense>
      <Shown study={makeStudy({ attachment_count: 1, image_count: 1 })} sid="linked" />
    </Suspense>,
  )
  const save = await screen.findByRole('link', { name: /referral\.txt/ })
  expect(save.getAttribute('href')).toMatch(/\/attachment\/a1\/version\/v1\?.*sid=linked$/)
  expect([...sids]).toEqual(['Bearer linked'])
  // the time is that of the browser, the month in letters whatever the reader's own format
  expect(screen.getByText(/^4 Mar 2026 \d\d:\d\d$/)).toBeDefined()
})
