import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { RefusedAccess } from './refused-access.tsx'

afterEach(() => vi.unstubAllGlobals())

const refusal = (user_id: string, given: object = {}) => ({
  user_id,
  user_name: 'Nils Brandt',
  ae_title: '',
  is_member: 1,
  act: 'study/get',
  kind: 'Study',
  count: 1,
  first: '2026-11-20 08:15:00.000000+00',
  last: '2026-11-20 08:15:30.000000+00',
  last_object: 'o',
  client_address: '198.51.100.7',
  proxy: '',
  is_by_key: 0,
  ...given,
})
const sender = (given: object) => refusal('', { user_name: '', is_member: 0, ...given })
const page = (refusals: object[], given: object = {}) => ({
  refusals,
  page: { more: 0, rows: 10, number: 1, total: refusals.length, ...given },
})

const show = (replies: Replies, permissions: Record<string, number> = { account_edit: 1 }) =>
  showSignedIn(<RefusedAccess />, replies, {}, permissions)
const rows = async () => (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent)

test('tells a supporter who is signed in as a person, and a program with a key, apart from the person', async () => {
  show({
    'audit/refused': page([
      refusal('colleague'),
      refusal('colleague', { proxy: 'Elif Kaya' }),
      refusal('colleague', { is_by_key: 1 }),
    ]),
  })
  expect((await rows()).map((text) => text?.replace(/198.*/, ''))).toEqual([
    'Nils Brandt',
    'Nils Brandtby Elif Kaya, signed in for support · ',
    'Nils Brandtprogram with a key · ',
  ])
})

test('says who asked for what, by which door, how often and when', async () => {
  show({
    'audit/refused': page([
      refusal('colleague', { count: 1204, last: '2026-11-20 08:59:00.000000+00' }),
      refusal('stranger', { user_name: 'Ida Holm', is_member: 0, act: 'storage', kind: 'User' }),
      refusal('', { user_name: '', is_member: 0, act: 'dicomweb' }),
      refusal('', { user_name: '', is_member: 0, act: 'channel', kind: 'Namespace', client_address: '' }),
      sender({ act: 'C-FIND', kind: 'Title', ae_title: 'CT_1' }),
      sender({ act: 'C-STORE', kind: 'Namespace', client_address: '' }),
      sender({ act: 'DICOM', kind: 'Namespace', ae_title: 'PRINTER' }),
      sender({ act: 'HL7', kind: 'Namespace', ae_title: 'RIS' }),
    ]),
  })
  const [colleague, stranger, nobody, many, query, senders, printer, orders] = await rows()
  expect(colleague).toMatch(/^Nils Brandt198\.51\.100\.7An examby the call study\/get1,204.*08:15 to 08:59$/)
  expect(stranger).toMatch(/^Ida Holmnot of your organisation · 198\.51\.100\.7A personimages and files1.*08:15$/)
  expect(nobody).toMatch(/^Not signed in198\.51\.100\.7An examby DICOMweb1/)
  expect(many).toMatch(/^Not signed in, from many addressesA place of examslive updates1/)
  expect(query).toMatch(/^DICOM sender CT_1198\.51\.100\.7An AE title that nothing here hasby C-FIND1/)
  expect(senders).toMatch(/^Many DICOM sendersA place of examsby C-STORE1/)
  expect(printer).toMatch(/^DICOM sender PRINTER198\.51\.100\.7A place of examsby another DICOM service1/)
  expect(orders).toMatch(/^Sender of orders RIS198\.51\.100\.7A place of examsby a message of HL71/)
})

test('finds by a part of a name or address, and keeps the field when nothing is found', async () => {
  show({ 'audit/refused': (sent: object) => page('filter.asker.like' in sent ? [] : [refusal('one')]) })
  await rows()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Name, AE title or address' }), ' 50%_a ')
  await screen.findByText('No name, AE title or address contains “50%_a”.')
  expect(lastSent('audit/refused')).toMatchObject({ account_id: 'a', 'filter.asker.like': '%50\\%\\_a%' })
  await userEvent.clear(screen.getByRole('searchbox'))
  expect(await rows()).toHaveLength(1)
})

test('shows page by page in the order that was chosen, and keeps rows per page', async () => {
  show({
    'audit/refused': (sent: Record<string, unknown>) => {
      const number = Number(sent['page.number'])
      return page([refusal(`person ${number}`)], { number, more: number === 1 ? 1 : 0, total: 2 })
    },
    'setting/set': {},
  })
  await rows()
  expect(lastSent('audit/refused')).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'last-desc' })
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await vi.waitFor(() => expect(lastSent('audit/refused')).toMatchObject({ 'page.number': 2 }))
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Next page' }).hasAttribute('disabled')).toBe(true))
  await userEvent.click(screen.getByRole('button', { name: 'Times' }))
  await vi.waitFor(() => expect(lastSent('audit/refused')).toMatchObject({ 'page.number': 1, sort_by: 'count-asc' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '25')
  await vi.waitFor(() => expect(lastSent('setting/set')).toMatchObject({ key: 'refused_rows_to_display', value: '25' }))
})

test('says that nothing was refused, and that the list could not be loaded', async () => {
  let isDown = true
  show({ 'audit/refused': () => (isDown ? 500 : page([])) })
  await screen.findByText('The list could not be loaded.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Nothing was refused in the last 180 days.')
  expect(screen.queryByText('The list could not be loaded.')).toBeNull()
})

test('asks nothing for those who may not see it', async () => {
  showSignedIn(<RefusedAccess />, {}, {}, { account_user_view: 1 })
  await screen.findByText('Only administrators and auditors of the organisation may see who was refused.')
  expect(lastSent('audit/refused')).toBeUndefined()
})

test('is shown to an auditor, who runs nothing', async () => {
  show({ 'audit/refused': page([refusal('colleague')]) }, { account_audit_view: 1 })
  expect(await rows()).toHaveLength(1)
})
