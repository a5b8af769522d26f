/** Texts of the plain screens: not found, failures, help, settings, administration. */
export const screens = {
  'app.name': 'Hilum',
  'app.skip': 'Skip to the content',
  'error.title': 'An unexpected error occurred',
  'error.refresh': 'Refresh',
  'error.details': 'Details',
  'notFound.title': 'Page not found',
  'notFound.text': 'There is nothing at this address. It may have been moved, or the link is incomplete.',
  'notFound.home': 'Go to the start page',
  'help.title': 'Help',
  'help.lead': 'The shortest way through the daily work.',
  'help.find.title': 'Find a study',
  'help.find.text':
    'Choose a group and a state on the left, or type a part of the patient name above the list and press Search. Names are written LAST%FIRST when both parts matter.',
  'help.upload.title': 'Upload studies',
  'help.upload.text':
    'Press Upload, choose the group, then browse to a disc or a folder or drop it on the page. If the browser is closed meanwhile, choose the same folder again: only what is missing is sent.',
  'help.view.title': 'View and download',
  'help.view.text':
    'Select a study, then open its Viewer or Downloads tab. The full-screen button gives the viewer the whole screen; Close brings you back.',
  'help.keys.title': 'Keys',
  'help.keys.text':
    'Up and Down, or J and K, move through the list. X marks a study, / goes to the search field, Escape closes what is open.',
  'help.notDiagnostic.title': 'Not for primary diagnosis',
  'help.notDiagnostic.text':
    'Hilum is for review and exchange. Read studies for diagnosis on the systems approved for it.',
  'settings.title': 'Account settings',
  'settings.lead':
    'What is known of your login. Editing it here is not available yet; ask your administrator for changes.',
  'settings.name': 'Name',
  'settings.email': 'Email',
  'settings.timeZone': 'Time zone',
  'settings.noTimeZone': "Not set: the browser's zone is used",
  'settings.dateFormat': 'Date format',
  'settings.organisation': 'Organisation',
  'admin.title': 'Administration',
  'admin.nav': 'Administration pages',
  'admin.lead': 'Users, groups and routing rules are managed by the API for now. What can be done on these pages:',
  'admin.outbox': 'Mail outbox',
  'admin.notPermitted': 'Only administrators may open this page.',
  'outbox.lead':
    'No mail server is set up, so mails are kept here instead of being sent. Reset links in them work: treat this page as confidential.',
  'outbox.withServer': 'A mail server is set up. Only mails that could not be sent are listed.',
  'outbox.empty': 'No mail is waiting.',
  'outbox.failed': 'The outbox could not be loaded.',
  'button.retry': 'Try again',
  'button.close': 'Close',
  'button.cancel': 'Cancel',
  'button.save': 'Save',
  loading: 'Loading',
  'network.offline': 'The server cannot be reached. What you see may be out of date.',
} as const
