import { expect, it } from 'vitest'
import type { Sealer } from '../../sealer.ts'
import { secretMark } from './mail-label.ts'
import { presentWaitingMail } from './outbox.presenter.ts'

const link = 'https://hilum.example/reset/token'
/** Opens the seal of the one mail that is its own. */
const sealer: Sealer = {
  seal: () => Buffer.alloc(0),
  open: (_sealed, owner) => (owner === 'mail' ? link : undefined),
}
const row = {
  uuid: 'mail',
  recipient: 'ann@hilum.example',
  subject: 'Your password',
  body: `Open ${secretMark} soon.`,
  created: '2026-03-01',
  sent_at: null,
  returned_at: null,
  given_up: false,
  cancelled: false,
  held: false,
  may_retry: false,
  last_error: null,
  sealed_secret: Buffer.from('sealed'),
  has_secret: true,
  is_of_demo: false,
}

it('shows a waiting mail without the link that would let its reader in', () => {
  const shown = presentWaitingMail(row, sealer)
  expect(shown).toMatchObject({
    uuid: 'mail',
    recipient: 'ann@hilum.example',
    subject: 'Your password',
    created: '2026-03-01',
    last_error: '',
  })
  expect(shown.body).toMatch(/^Open \(The link is not shown: .*reset-link.*\) soon\.$/)
})

it('shows the link in the demo organisation alone, and only of a seal that opens', () => {
  expect(presentWaitingMail({ ...row, is_of_demo: true }, sealer).body).toBe(`Open ${link} soon.`)
  const foreign = presentWaitingMail({ ...row, uuid: 'other', is_of_demo: true }, sealer)
  expect(foreign.body).toContain('The link is not shown')
})

it('says that a link is over once its secret is wiped', () => {
  expect(presentWaitingMail({ ...row, sealed_secret: null }, sealer).body).toBe('Open (The link has expired.) soon.')
})

it('shows a mail without a secret as it was written, and why it was not sent', () => {
  const plain = { ...row, has_secret: false, body: 'A study arrived.', last_error: 'refused' }
  expect(presentWaitingMail(plain, sealer)).toMatchObject({ body: 'A study arrived.', last_error: 'refused' })
  expect(presentWaitingMail({ ...row, has_secret: false }, sealer).body).toBe(row.body)
})
