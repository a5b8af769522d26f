import { afterAll, describe, expect, it } from 'vitest'
import { callWell, openSession } from './support/call.ts'
import { cutOff } from './support/cut-off.ts'
import { emailOf, logOut, sendLogin, sidOf, signIn } from './support/sign-in.ts'
import { type SmtpSink, startSmtpSink } from './support/smtp-sink.ts'
import { password } from './support/start-server.ts'
import { useSystem } from './support/system.ts'

let mail: SmtpSink
const { newPerson, server } = useSystem(async () => {
  mail = await startSmtpSink()
  return { HILUM_SMTP_URL: mail.url, HILUM_MAIL_FROM: 'Hilum <hilum@northside.example>' }
})
afterAll(() => mail.close())

/** The browser itself reports every answer that is not a success. */
const refusedByServer = /console: Failed to load resource: the server responded with a status of 4(01|12)/
/** Pictures that were on their way when the session ended. */
const pictureRefused = /status of 403 .*\/api\/v3\/storage\//

describe('signing in and out', () => {
  it('[AUTH-01] [AUTH-12] [ROUTE-01] [ROUTE-14] leads from the login screen to the inbox, and a reload stays there', async () => {
    const { page } = await newPerson()
    await page.goto('/')
    await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
    await sendLogin(page, emailOf('clinician'))
    await page.waitForURL('/group/list')
    await page.getByText('Welcome, Daniel Reyes').waitFor()
    await page.reload()
    await page.getByText('Welcome, Daniel Reyes').waitFor()
    await page.goto('/')
    await page.waitForURL('/group/list')
  })

  it('[AUTH-02] asks for what is missing', async () => {
    const { page } = await newPerson()
    await page.goto('/')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Username is required').waitFor()
    await page.getByText('Password is required').waitFor()
    await page.getByLabel('Username').fill('somebody')
    await page.keyboard.press('Enter')
    await page.getByText('Username is required').waitFor({ state: 'detached' })
    await page.getByText('Password is required').waitFor()
  })

  it('[AUTH-02] says the same to a wrong password and to an unknown name', async () => {
    const { page, forgive } = await newPerson()
    forgive(refusedByServer)
    await page.goto('/')
    await sendLogin(page, emailOf('staff'), 'wrong-password-1')
    await page.getByText('The username or the password is not right.').waitFor()
    await page.reload()
    await sendLogin(page, 'nobody@northside.example', 'wrong-password-1')
    await page.getByText('The username or the password is not right.').waitFor()
  })

  it('locks a login out after five wrong passwords, and says for how long', async () => {
    const { page, forgive } = await newPerson()
    forgive(refusedByServer)
    await page.goto('/')
    for (let time = 0; time < 5; time += 1) {
      const answered = page.waitForResponse('**/session/login')
      await sendLogin(page, emailOf('uploader'), `wrong-password-${time}`)
      await answered
      await page.getByText('The username or the password is not right.').waitFor()
    }
    await sendLogin(page, emailOf('uploader'))
    await page.getByText('Too many failed attempts. Please wait 15 minutes').waitFor()
  })

  it('[AUTH-16] logging out empties the browser storage and ends the session on the server', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    const sid = await sidOf(page)
    expect(sid).toBeTruthy()
    await logOut(page)
    await page.getByText('You are logged out.').waitFor()
    const left = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
    expect(left.filter((key) => key.startsWith('hilum.'))).toEqual([])
    const readStatus = async () => (await fetch(`${server().address}/api/v3/session/user?sid=${sid}`)).status
    await expect.poll(readStatus).toBe(401)
    await page.goto('/group/list')
    await page.getByLabel('Username').waitFor()
  })

  it('[AUTH-17] a session that ended elsewhere leads to the login, and the same user back to the same place', async () => {
    const { page, forgive } = await newPerson()
    await signIn(page, 'clinician')
    await page.getByRole('button', { name: 'Outpatient Imaging' }).click()
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { name: 'Downloads' }).click()
    const place = page.url()
    expect(place).toContain('tab=download')
    const sid = await sidOf(page)
    await callWell(server().address, 'session/logout', { sid })
    forgive(refusedByServer, pictureRefused, cutOff)
    await page.reload()
    await page.getByText('Your session has ended. Please log in again.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await sendLogin(page, emailOf('clinician'))
    await page.getByRole('tab', { name: 'Downloads', selected: true }).waitFor()
    expect(page.url()).toBe(place)
  })

  it('[AUTH-17] another user does not land at the place of the one before', async () => {
    const { page, forgive } = await newPerson()
    await signIn(page, 'clinician')
    await page.getByRole('button', { name: 'Teaching Library' }).click()
    await page.waitForURL('**/Inbox')
    const sid = await sidOf(page)
    await callWell(server().address, 'session/logout', { sid })
    forgive(refusedByServer, pictureRefused, cutOff)
    await page.reload()
    await page.getByText('Your session has ended. Please log in again.').waitFor()
    await sendLogin(page, emailOf('reviewer'))
    await page.waitForURL('/group/list')
  })

  it('keeps no secret where a script could read it, and goes on after a reload and in new tabs', async () => {
    const { page, context } = await newPerson()
    const tokenOf = async (call: string) => {
      const response = await page.waitForResponse(`**/api/v3/session/${call}`)
      return ((await response.json()) as { sid: string }).sid
    }
    const first = tokenOf('login')
    await signIn(page, 'clinician')
    await page.getByRole('button', { name: 'Outpatient Imaging' }).click()
    await page.locator('[data-card]').first().click()
    const second = tokenOf('token')
    await page.reload()
    await page.getByRole('navigation', { name: 'Groups' }).waitFor()
    const other = await context.newPage()
    await other.goto('/worklist')
    await other.getByRole('button', { name: 'Open the main menu' }).waitFor()
    const secrets = new Set([await sidOf(page), await first, await second])
    expect(secrets.size).toBe(3)
    const readable = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    for (const secret of secrets) expect(readable).not.toContain(secret)
  })

  it('a second tab that signs out takes the first with it', async () => {
    const { page, context } = await newPerson()
    await signIn(page, 'clinician')
    const other = await context.newPage()
    await other.goto('/group/list')
    await logOut(other)
    await page.getByLabel('Username').waitFor()
  })
})

describe('a forgotten password', () => {
  it('[AUTH-03] [AUTH-04] checks the e-mail address', async () => {
    const { page } = await newPerson()
    await page.goto('/')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Email is required').waitFor()
    await page.getByLabel('Email').fill('not an address')
    await page.getByText('Please enter a valid email').waitFor()
  })

  it('[AUTH-05] [AUTH-06] [AUTH-07] [AUTH-09] [AUTH-10] is set anew by the link of a mail, which works once', async () => {
    const { page, forgive } = await newPerson()
    const answer = 'If you have a login with this email, a password reset link will be emailed to you.'
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill('nobody@northside.example')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(answer).waitFor()
    await page.reload()
    await page.getByLabel('Email').fill(emailOf('viewer'))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(answer).waitFor()

    await expect.poll(() => mail.mails.length, { timeout: 30_000 }).toBe(1)
    const [received] = mail.mails
    expect(received?.to).toBe(emailOf('viewer'))
    const link = /https?:\/\/\S+\/reset-password\/\S+/.exec(received?.text ?? '')?.[0] ?? ''
    expect(link.startsWith(server().address)).toBe(true)
    await page.goto(link)
    await page.getByText('8 characters or longer, containing 2 number and 2 letters').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Reset password is required.', { exact: true }).waitFor()
    await page.getByText('Confirm reset password is required.').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('77fresh-password')
    await page.getByLabel('Confirm new password').fill('77another-password')
    await page.getByText('Passwords do not match.').waitFor()

    const old = await openSession(server().address, 'viewer')
    await page.getByLabel('Confirm new password').fill('77fresh-password')
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Your password has been reset, please login with the new password.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect((await fetch(`${server().address}/api/v3/session/user?sid=${old}`)).status).toBe(401)

    forgive(refusedByServer)
    await sendLogin(page, emailOf('viewer'), password)
    await page.getByText('The username or the password is not right.').waitFor()
    await sendLogin(page, emailOf('viewer'), '77fresh-password')
    await page.getByText('Welcome, Tomasz Nowak').waitFor()

    await page.goto(link)
    await page.getByText('You reached this page by mistake. Please go back and try again.').waitFor()
  })

  it('[AUTH-08] a link that was never given says so before anything is typed', async () => {
    const { page, forgive } = await newPerson()
    forgive(refusedByServer)
    await page.goto('/reset-password/never-given')
    await page.getByText('You reached this page by mistake. Please go back and try again.').waitFor()
    expect(await page.getByLabel('New password', { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await page.getByRole('button', { name: 'Send' }).waitFor()
  })

  it('without a mail server the mail waits in the outbox, for administrators only', async () => {
    const { page } = await newPerson()
    await signIn(page, 'administrator')
    await page.goto('/administration/outbox')
    await page.getByText('A mail server is set up.').waitFor()
    const clinician = await newPerson()
    await signIn(clinician.page, 'clinician')
    await clinician.page.goto('/administration/outbox')
    await clinician.page.getByText('Only administrators may open this page.').waitFor()
  })
})
