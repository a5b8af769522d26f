import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { CustomFieldDefinitions } from './custom-field-definitions.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/') // the grid keeps its page, order and filter there
})

const field = (uuid: string, given: object = {}) => ({
  uuid,
  name: `Field ${uuid}`,
  object: 'Study',
  type: 'text',
  display_order: null,
  required: 0,
  options: null,
  ui_json: null,
  field_flag: '',
  gate_key: '',
  ...given,
})
const urgency = field('b', {
  name: 'Urgency',
  type: 'select',
  display_order: 2,
  required: 1,
  field_flag: 'O',
  options: { values: ['r', 'u'], labels: ['Routine', 'Urgent'], hint: 'How soon', validate: 'kept' },
  ui_json: { show_on_pages: ['exchange'], grid_columns: 6 },
})
const listed = [field('a', { display_order: 1 }), urgency, field('c', { object: 'Order', type: 'number' })]
const show = (
  replies: Replies = {},
  permissions: Record<string, number> = { customfield_edit: 1, customfield_view: 1 },
) =>
  showSignedIn(
    <CustomFieldDefinitions />,
    { 'customfield/list': { customfields: listed, page: { more: 0 } }, ...replies },
    {},
    permissions,
  )
const press = async (name: string | RegExp) => {
  const button = await screen.findByRole('button', { name })
  await vi.waitFor(() => expect(button).toHaveProperty('disabled', false)) // until all fields are known
  await userEvent.click(button)
}
const fill = async (name: string, text: string) => {
  const box = screen.getByRole('textbox', { name })
  await userEvent.clear(box)
  if (text) await userEvent.type(box, text)
}
const usage = (given: object = {}) => ({ 'customfield/usage': { filled: 0, forms: [], rules: [], gate: 0, ...given } })

const gridRows = async () =>
  within(await screen.findByRole('grid', { name: 'Custom fields' }))
    .getAllByRole('row')
    .slice(1)

test('[ENTITY-30] lists the fields by what they belong to, with type, pages and who may fill them', async () => {
  show()
  await screen.findByRole('button', { name: /^Move Field a/ }) // the order is known
  expect((await gridRows()).map((row) => row.textContent)).toEqual([
    'ExamsField a Line of textSummaryAll who may edit',
    'ExamsUrgency RequiredList, one choiceRoutine, UrgentExchangeNobody fills it',
    'OrdersField c NumberAll who may edit',
  ])
})

test('[GRID-01][GRID-03] asks for a page, an order, an object and a name, and offers the next page where more follow', async () => {
  show({
    'customfield/list': (sent: Record<string, unknown>) =>
      sent['page.rows'] === 1000
        ? { customfields: listed, page: { more: 0 } }
        : { customfields: listed, page: { more: sent['page.number'] === 1 ? 1 : 0, total: 13 } },
  })
  const paged = () =>
    sentCalls.findLast(({ path, sent }) => path === 'customfield/list' && sent['page.rows'] !== 1000)?.sent
  await screen.findByText('1 to 3 of 13')
  expect(paged()).toMatchObject({ 'page.rows': 10, 'page.number': 1, sort_by: 'object-asc' })
  await press('Next page')
  await vi.waitFor(() => expect(paged()).toMatchObject({ 'page.number': 2 }))
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true))
  await press('Name')
  await vi.waitFor(() => expect(paged()).toMatchObject({ 'page.number': 1, sort_by: 'name-asc' }))
  // the rows stand in another order than the one that is moved in
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Belongs to' }), 'Orders')
  await userEvent.type(screen.getByRole('textbox', { name: 'Find by name' }), 'dose')
  await vi.waitFor(() =>
    expect(paged()).toMatchObject({ 'filter.object.equals': 'Order', 'filter.name.like': '%dose%' }),
  )
})

test('[ENTITY-30] says of the fields of nominations what they are, and offers no bin for them', async () => {
  const ofGate = field('d', { name: 'submitted_at', gate_key: 'submitted_at' })
  show({ 'customfield/list': { customfields: [...listed, ofGate], page: { more: 0 } } })
  const table = await screen.findByRole('row', { name: /submitted_at/ })
  expect(within(table).getByText('Exams, of nominations (made by Hilum)')).toBeDefined()
  expect(within(table).getByText('Time of the nomination')).toBeDefined()
  expect(within(table).queryByRole('button', { name: /^Delete/ })).toBeNull()
  expect(within(table).getByText('Written by nominations')).toBeDefined()
  await vi.waitFor(() =>
    expect(within(table).getByRole('button', { name: 'Edit submitted_at' })).toHaveProperty('disabled', false),
  )
  await userEvent.click(within(table).getByRole('button', { name: 'Edit submitted_at' }))
  const form = within(await screen.findByRole('dialog'))
  const who = form.getByRole<HTMLSelectElement>('combobox', { name: 'Who may' })
  expect([...who.options].map(({ text }) => text)).toEqual(['Written by nominations', 'Hidden from all'])
  expect(form.queryByRole('checkbox', { name: /^(Required|.*share code)/ })).toBeNull()
})

test('[ENTITY-30] makes a field of choices at the end of its list', async () => {
  show()
  await press('New custom field')
  await press('Save')
  await screen.findByText('A name is needed.')
  await fill('Name', 'urgency')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'multiselect')
  await press('Save')
  await screen.findByText('Another field of the same kind has this name.')
  expect(screen.getByText('Please enter at least one choice.')).toBeDefined()
  await fill('Name', 'Ward')
  await fill('Choices', 'n = North\ns, w')
  await press('Save')
  await screen.findByText('Where several may be chosen, a choice holds no comma: s, w')
  await fill('Choices', 'n = North\n\ns\nn')
  await press('Save')
  await screen.findByText('The choice “n” stands there twice.')
  await fill('Choices', 'n = North\n\ns')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Exchange' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who may' }), 'H')
  await press('Save')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('customfield/add')).toMatchObject({
    account_id: 'a',
    name: 'Ward',
    object: 'Study',
    type: 'multiselect',
    display_order: 3,
    required: 0,
    field_flag: 'H',
    options: { values: ['n', 's'], labels: ['North', 's'] },
    ui_json: { show_on_pages: ['summary', 'exchange'] },
  })
})

test('a field of exams is asked on the page of a share code where somebody says so, and one of orders is not', async () => {
  show()
  await press('Edit Urgency')
  await userEvent.click(screen.getByRole('checkbox', { name: /^Asked of whoever sends by a share code/ }))
  await press('Save')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('customfield/set')).toMatchObject({ uuid: 'b', capture_on_share_code: 1 })
  await press('Edit Field c')
  expect(screen.queryByRole('checkbox', { name: /^Asked of whoever sends by a share code/ })).toBeNull()
  await press('Save')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('customfield/set')).not.toHaveProperty('capture_on_share_code')
})

test('[ENTITY-30] changes a field, keeps what the form does not know, and says why saving failed', async () => {
  let reply: unknown = { error_type: 'NOT_FOUND' }
  show({ 'customfield/set': () => reply })
  await press('Edit Urgency')
  expect(screen.getByRole('textbox', { name: 'Choices' })).toHaveProperty('value', 'r = Routine\nu = Urgent')
  await fill('Help text', '')
  await press('Save')
  await screen.findByText('The field is not there any more.')
  reply = { error_type: 'STALE' }
  await press('Save')
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(lastSent('customfield/set')).toMatchObject({ seen: { name: 'Urgency', options: urgency.options } })
  reply = {}
  await press('Save mine')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // fields that nobody changed are not sent: somebody else may have
  expect(Object.keys(lastSent('customfield/set') ?? {}).toSorted()).toEqual(['options', 'uuid'])
  expect(lastSent('customfield/set')?.['options']).toEqual({
    values: ['r', 'u'],
    labels: ['Routine', 'Urgent'],
    validate: 'kept',
  })
})

test.each(['0', '12.5', '10001'])('takes whole numbers alone for the most letters, not “%s”', async (typed) => {
  show()
  await press('Edit Field a')
  await fill('Most letters', typed)
  await press('Save')
  await screen.findByText('Please enter a whole number from 1 to 10,000.')
  expect(lastSent('customfield/set')).toBeUndefined()
})

test('says what would be lost before it deletes a field', async () => {
  show(usage({ filled: 12 }))
  await press('Delete Urgency')
  await screen.findByText('12 exams have a value in it, which nobody sees any more.')
  expect(lastSent('customfield/delete')).toBeUndefined()
  await press('Delete')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('customfield/delete')).toMatchObject({ uuid: 'b' })
  expect(sentCalls.filter(({ path }) => path === 'customfield/usage')).toHaveLength(1)
})

test('deletes no field that a routing rule or a nomination form needs, and says which', async () => {
  show(usage({ filled: 12, forms: ['Gate'], rules: ['CT to PACS'] }))
  await press('Delete Urgency')
  await screen.findByText(
    'It cannot be deleted. Routing rules use it: CT to PACS. Change these first. Groups name it in their settings: Gate. Change these first.',
  )
  expect(screen.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
})

test('says which rule has come to need a field since the question was asked', async () => {
  const refusal = { error_type: 'IN_USE', error_data: { routes: ['CT to PACS'], groups: [] } }
  show({ ...usage(), 'customfield/delete': refusal })
  await press('Delete Urgency')
  await screen.findByText('Nothing is filled in it.')
  await press('Delete')
  const said = 'It cannot be deleted. Routing rules use it: CT to PACS. Change these first.'
  expect(await screen.findByText(said)).toBeDefined()
})

test('deletes nothing while the loss is not known, and no field of nominations', async () => {
  let reply: unknown = 500
  show({ 'customfield/usage': () => reply })
  await press('Delete Urgency')
  await screen.findByText('What would be lost could not be found out.')
  expect(screen.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
  reply = usage({ gate: 1 })['customfield/usage']
  await press(/again|retry/i)
  await screen.findByText('Nominations write this field, so it cannot be deleted.')
  expect(screen.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
})

test('moves a field by the arrow keys and by drag, among its like', async () => {
  show()
  const handle = await screen.findByRole('button', { name: /^Move Field a, number 1 of 2/ })
  fireEvent.keyDown(handle, { key: 'ArrowUp' })
  fireEvent.keyDown(handle, { key: 'ArrowDown' })
  const sets = () => sentCalls.filter(({ path }) => path === 'customfield/set').map(({ sent }) => sent)
  await vi.waitFor(() =>
    expect(sets()).toMatchObject([
      { uuid: 'b', display_order: 1 },
      { uuid: 'a', display_order: 2 },
    ]),
  )
  const kept = new Map<string, string>()
  const dataTransfer = {
    setData: (type: string, value: string) => kept.set(type, value),
    getData: (type: string) => kept.get(type) ?? '',
    get types() {
      return [...kept.keys()]
    },
  }
  const first = await screen.findByRole('button', { name: /^Move Field a, number 1 of 2/ }) // the reply has the old order
  await vi.waitFor(() => {
    fireEvent.dragStart(screen.getByRole('button', { name: /^Move Urgency/ }), { dataTransfer })
    fireEvent.dragOver(first, { dataTransfer })
    fireEvent.drop(first, { dataTransfer })
    expect(sets()).toHaveLength(4)
  })
})

test.each(['customfield_view', 'customfield_edit'])('shows nothing to who has %s alone', (permission) => {
  show({}, { [permission]: 1 })
  expect(screen.getByRole('alert').textContent).toContain('Only people who may see and edit custom fields')
  expect(sentCalls).toEqual([])
})

test.each([
  ['People', 'User_account', '2 people have a value in it, which nobody sees any more.'],
  ['Groups', 'Group', '2 groups have a value in it, which nobody sees any more.'],
  ['Locations', 'Location', '2 locations have a value in it, which nobody sees any more.'],
  ['The organisation', 'Account', '2 organisations have a value in it, which nobody sees any more.'],
])('[API-37][ENTITY-30] makes a field of %s, and says what would be lost with it', async (name, object, lost) => {
  const customfields = [field('a', { object })]
  show({
    'customfield/list': { customfields, page: { more: 0 } },
    'customfield/add': { uuid: 'n' },
    ...usage({ filled: 2 }),
  })
  await screen.findByRole('cell', { name })
  await press('New custom field')
  await fill('Name', 'Desk')
  await userEvent.selectOptions(within(screen.getByRole('dialog')).getByRole('combobox', { name: 'Belongs to' }), name)
  expect(screen.queryByRole('combobox', { name: 'Who may' })).toBeNull()
  await press('Save')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('customfield/add')).toMatchObject({ name: 'Desk', object })
  await press('Delete Field a')
  await screen.findByText(lost)
})

test('[PROCESS-13] says of destination and priority that whoever sends chooses them whatever the access', async () => {
  const customfields = [field('d', { name: 'push_destination', gate_key: 'push_destination' }), field('w')]
  show({ 'customfield/list': { customfields, page: { more: 0 } } })
  const said = /Whoever sends an exam to a PACS chooses it all the same\./
  await press('Edit push_destination')
  within(await screen.findByRole('dialog')).getByText(said)
  await press('Cancel')
  await press('Edit Field w')
  expect(within(await screen.findByRole('dialog')).queryByText(said)).toBeNull()
})
