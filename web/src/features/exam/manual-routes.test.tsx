import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { ManualRoutes } from './manual-routes.tsx'

afterEach(() => vi.unstubAllGlobals())

const routes = [
  { uuid: 'r1', name: 'To neuro' },
  { uuid: 'r2', name: 'To the PACS' },
]
const show = (replies: Replies = {}, permissions: Record<string, number> = { study_manual_route: 1 }) => {
  const study = makeStudy({ uuid: 'exam-1', permissions })
  showSignedIn(<ManualRoutes study={study} routes={routes} />, replies, {}, permissions)
}
const button = (name: string) => screen.getByRole('button', { name: `Start the route ${name}` })
const start = (name: string) => userEvent.click(button(name))

test('[API-55] starts the route whose button was pressed, and says which', async () => {
  show({ 'study/manual/route': {} })
  await start('To the PACS')
  expect(await screen.findByText('The route “To the PACS” was started.')).toBeDefined()
  expect(lastSent('study/manual/route')).toEqual({ uuid: 'exam-1', route_id: 'r2' })
})

test('[API-55] says which route could not be started, and lets it be tried again', async () => {
  show({ 'study/manual/route': { error_type: 'ROUTE_NOT_MATCHED' } })
  await start('To neuro')
  expect((await screen.findByRole('alert')).textContent).toContain('To neuro')
  expect(button('To neuro')).toHaveProperty('disabled', false)
})

test('[API-55] has no button for whoever may not start a route', () => {
  show({}, { study_view: 1 })
  expect(screen.queryByRole('button')).toBeNull()
})
