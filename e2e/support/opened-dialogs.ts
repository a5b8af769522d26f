/** How a person comes to a dialog. */
export interface OpenedDialog {
  /** The file below web/src whose dialog this is. */
  source: string
  title: string | RegExp
  /** The address of the screen; {study} stands for the exam that the flow has chosen. */
  at: string
  /** Buttons to press before, in their order. */
  before?: readonly (string | RegExp)[]
  /** Texts that are typed before, by the name of the field. */
  typed?: Readonly<Record<string, string>>
  /** The row that is selected before, by a part of its text. */
  ticked?: RegExp
  /** The choice that is made before, by a part of its name. */
  chosen?: RegExp
  /** The button that has the focus afterwards, where the one that was pressed is gone. */
  backTo?: string
  /** The button that opens the dialog, or the key. */
  by: string | RegExp | { key: string } | { menu: string; item: string }
}

/** Dialogs that `every-dialog.e2e.ts` opens, screen by screen. */
export const openedDialogs: readonly OpenedDialog[] = [
  ...at('/administration/connections', [
    ['administration/connections/ask-form', 'Ask an organisation to exchange exams', /^Ask an organisation/],
    ['administration/connections/connection-grid', /^End the connection with /, /^End the connection with Lakeside/],
  ]),
  ...at('/administration/destinations', [
    ['administration/destinations/destination-form', 'Add destination', 'Add destination'],
    ['administration/destinations/destinations', 'Send a test image?', /^Send a test image to /],
    ['administration/destinations/destinations', 'Delete destination?', 'Delete Demo PACS'],
  ]),
  ...at('/orders', [
    ['administration/orders/order-form', 'Add order', 'Add order'],
    ['administration/orders/order-details', 'ROE, RICHARD', /^Details of ROE/],
    ['administration/orders/order-grid', 'Delete the order?', /^Delete ROE/],
    ['administration/orders/report-details', 'ROE, RICHARD', 'Open the report of ROE, RICHARD'],
    ['administration/orders/waiting-reports', 'Remove the report?', 'Remove the report of ROE, RICHARD'],
  ]),
  {
    source: 'administration/orders/give-report',
    title: 'Attach the report?',
    at: '/orders',
    before: ['Open the report of ROE, RICHARD'],
    chosen: /images/,
    by: 'Attach to this exam',
  },
  ...at('/administration/roles', [
    ['administration/roles/role-form', 'Add role', 'Add role'],
    ['administration/roles/role-people', 'Who has Administrator', 'Who has the role Administrator'],
    ['administration/roles/role-grid', 'Delete role?', 'Delete Night readers'],
  ]),
  ...at('/administration/webhooks', [
    ['administration/webhooks/webhook-form', 'New webhook', 'New webhook'],
    ['administration/webhooks/webhook-calls', 'Calls of Ward', 'Calls of Ward'],
    ['administration/webhooks/delete-webhook', 'Delete this webhook?', 'Delete Ward'],
  ]),
  {
    source: 'administration/webhooks/secret-dialog',
    title: 'Secret of the webhook',
    at: '/administration/webhooks',
    before: ['New webhook'],
    typed: { Name: 'Told once', Address: 'https://ris.example.org/in' },
    by: 'Save',
    backTo: 'New webhook',
  },
  {
    source: 'administration/organisation/organisation-form',
    title: 'Change the assigning authority?',
    at: '/administration/organisation',
    typed: { 'Assigning authority of your MRNs': 'NORTH2' },
    by: 'Save',
  },
  ...at('/administration/organisation', [
    ['administration/organisation/close-dialog', /^Close Northside/, 'Close the organisation …'],
    ['administration/organisation/text-form', /^(Terms|Privacy)/, /^Write /],
  ]),
  ...at('/administration/routing-rules', [
    ['administration/routing/rule-form', 'New routing rule', 'New rule'],
    ['administration/routing/rule-runs', 'Runs of Night CT', 'Runs of Night CT'],
    ['administration/routing/delete-dialog', 'Delete this rule?', 'Delete Night CT'],
  ]),
  ...at('/administration/custom-fields', [
    ['administration/custom-fields/definition-form', 'New custom field', 'New custom field'],
    ['administration/custom-fields/delete-definition', 'Delete custom field?', 'Delete Bay'],
  ]),
  ...at('/administration/users', [
    ['administration/users/user-form', 'Invite user', 'Invite user'],
    ['administration/users/user-grid', 'Disable user?', /^Disable Mei/],
  ]),
  {
    source: 'administration/users/leavers/leaver-things',
    title: /^End 1 saved search/,
    at: '/administration/users',
    before: [/^Hand over what /],
    by: 'End: 1 saved search',
  },
  ...at('/administration/groups', [
    ['administration/groups/place-form', 'Add group', 'Add group'],
    ['administration/groups/place-grid', /^Delete /, /^Delete Teaching/],
  ]),
  {
    source: 'administration/groups/add-members',
    title: 'Add people',
    at: '/administration/groups',
    before: ['People of Teaching Library'],
    by: 'Add people',
  },
  {
    source: 'administration/groups/place-members',
    title: 'Remove from the group?',
    at: '/administration/groups',
    before: ['People of Teaching Library'],
    by: /^Remove Tomasz Nowak/,
  },
  {
    source: 'administration/retention/retention-rule-form',
    title: /./,
    at: '/administration/retention',
    by: 'Change the rule: The whole organisation',
  },
  {
    source: 'administration/retention/retention-dialog',
    title: /^Hold /,
    at: '/administration/retention',
    before: ['What goes when'],
    by: /^Hold /,
  },
  ...at('/administration/work', [
    ['administration/runs-again', 'Run the rule “To the closed ward” again?', /^Run again: To the closed ward/],
  ]),
  ...at('/administration/outbox', [
    ['administration/mail-dialog', 'Reset your password', /^Read the mail to /],
    ['administration/mail-outbox', 'Cancel the mail?', /^Cancel the mail to /],
  ]),
  ...at('/administration/outside', [
    ['administration/outside/outside-dialog', 'End this access?', /^End the access of /],
  ]),
  {
    source: 'administration/outside/outside-dialog',
    title: /^Extend$/,
    at: '/administration/outside',
    ticked: /Lakeside/,
    by: 'Extend',
  },
  ...at('/group/list?study={study}&tab=pacs', [
    ['exam/push-reason', 'Send again to Old archive', 'Send again to Old archive'],
  ]),
  ...at('/group/list?study={study}&tab=deleteExams', [['exam/delete-tab', 'Delete this exam?', 'Delete exam']]),
  ...at('/group/list?study={study}&tab=share', [['exam/link-list', 'Revoke the link?', /^Revoke/]]),
  ...at('/group/list?study={study}&tab=sendExams', [['exam/send-attachments', 'Add attachment', 'Add attachment']]),
  {
    source: 'exam/merge-dialog',
    title: 'Merge two exams',
    at: '/group/list?study={study}',
    by: { menu: 'More actions', item: 'Merge with another exam …' },
  },
  {
    source: 'exam/move-dialog',
    title: 'Move this exam to another group',
    at: '/group/list?study={study}',
    by: { menu: 'More actions', item: 'Move to another group …' },
  },
  {
    source: 'exam/retract-dialog',
    title: 'Take this exam back everywhere?',
    at: '/group/list?study={study}',
    by: { menu: 'More actions', item: 'Take back everywhere' },
  },
  ...at('/group/list', [
    ['search/search-tips', 'Search tips', 'Search tips'],
    ['search/advanced-search', 'Advanced search', 'Advanced search'],
    ['shell/command-palette', 'Go to', { key: 'Control+k' }],
    ['studies/key-sheet', 'Keys', { key: '?' }],
  ]),
  ...at('/worklist', [['studies/worklist/column-chooser', 'Columns', 'Columns']]),
]

/** Dialogs whose way is long: the flow that goes it, and the words by which the flow meets the dialog. */
export const openedElsewhere: readonly { source: string; flow: string; says: string }[] = [
  { source: 'exam/remove-attachment', flow: 'attachments', says: "'Delete attachment'" },
  {
    source: 'exam/nominate-part',
    flow: 'gate',
    says: "getByRole('dialog').getByRole('button', { name: 'Cancel nomination' })",
  },
  { source: 'exam/nomination-details', flow: 'gate', says: "lookAtDetails(clinician, 'Nomination')" },
  { source: 'exam/search-order', flow: 'gate', says: "lookAtDetails(reviewer, 'ROE, RICHARD')" },
  { source: 'exam/approval-banner', flow: 'send', says: "'Reject this exam?'" },
  { source: 'exam/separate-dialog', flow: 'separate-patients', says: "'Separate images of" },
  {
    source: 'administration/destinations/own-node-form',
    flow: 'administration-pages',
    says: "'Edit NIGHT_GATE'",
  },
  {
    source: 'administration/destinations/calling-nodes',
    flow: 'administration-pages',
    says: "'Delete LATE_GATE'",
  },
  { source: 'administration/system/new-organisation', flow: 'support-session', says: "'New organisation'" },
  { source: 'administration/system/proxy-dialog', flow: 'support-session', says: "'Sign in as a person of Northside'" },
  { source: 'session/use-proof', flow: 'own-keys', says: "'Confirm it is you'" },
  { source: 'state/unsaved-guard', flow: 'own-account', says: "'Leave without saving?'" },
]

/** Dialogs that no flow opens, with the reason. */
export const unopened: readonly { source: string; why: string }[] = []

type Row = readonly [source: string, title: OpenedDialog['title'], by: OpenedDialog['by']]

function at(address: string, rows: readonly Row[]): OpenedDialog[] {
  return rows.map(([source, title, by]) => ({ source, title, at: address, by }))
}
