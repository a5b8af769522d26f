/** Texts of the closing of an organisation. */
export const close = {
  'close.heading': 'Close the organisation',
  'close.hint':
    'When the organisation no longer needs this installation. Every exam has to be deleted first, those that people keep for themselves too.',
  'close.begin': 'Close the organisation …',
  'close.title': 'Close {name}?',
  'close.lead': 'This cannot be undone.',
  'close.people':
    'Everybody is signed out. Whoever belongs to no other organisation cannot sign in any more; keys of programs end.',
  'close.outside':
    'Links, requests, share codes, connections, rules, webhooks and groups end. Connected organisations are told by mail.',
  'close.stays': 'The audit stays on record, and deleted exams stay in the bin until they are purged.',
  'close.name': 'Type the name of the organisation',
  'close.nameWrong': 'Type the name exactly as it stands above the field.',
  'close.do': 'Close for good',
  'close.closed': '{name} is closed.',
  'close.actName': 'Close {name}',
  'close.act': 'Close …',
  'close.notEmpty':
    'There are exams left, in a group or with one of its people. Delete them, then close the organisation.',
  'close.last': 'This is the last organisation of the installation, and stays.',
  'close.operator':
    'A system administrator or supporter belongs to this organisation alone, and could not sign in any more. Take the flag from the person, or the person into another organisation, first.',
  'close.failed': 'The organisation could not be closed. Please try again.',
} as const
