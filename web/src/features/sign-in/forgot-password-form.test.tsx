import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'

const mailed = /a password reset link will be emailed to you/
const unsent = /^No mail server is set up here, so no link can be mailed to you\. Ask an administrator/

test.each([
  [1, mailed, unsent],
  [0, unsent, mailed],
])('[AUTH-05] with has_smtp %i the answer promises a mail only where one can leave', async (has_smtp, said, unsaid) => {
  const router = createRouter({
    routeTree: createRootRoute({ component: ForgotPasswordForm }),
    history: createMemoryHistory(),
  })
  showSignedIn(<RouterProvider router={router as never} />, { 'user/password/lost': { status: 'OK', has_smtp } })
  await userEvent.type(await screen.findByLabelText('Email'), 'ann@hospital.example')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText(said)).toBeDefined()
  expect(screen.queryByText(unsaid)).toBeNull()
})
