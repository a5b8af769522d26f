/** Texts of the security settings of the organisation. */
export const security = {
  'security.title': 'Security',
  'security.lead': 'How people of the organisation sign in. Sessions that are open stay as they are.',
  'security.session': 'Sessions end when they were not used for',
  'security.minutes_one': '{count} minute',
  'security.minutes_other': '{count} minutes',
  'security.sessionDefault': '180 minutes (as installed)',
  'security.password': 'Passwords expire after',
  'security.days_one': '{count} day',
  'security.days_other': '{count} days',
  'security.never': 'never',
  'security.pin': 'Two-factor sign-in is required',
  'security.pinHelp':
    'Who has none yet sets it up at the next sign-in. Programs that send a password are refused; they use keys.',
  'security.saved': 'The security settings have been saved.',
  'security.failed': 'The security settings could not be saved. Please try again.',
  'security.notPermitted': 'Only administrators of the organisation may change how people sign in.',
} as const
