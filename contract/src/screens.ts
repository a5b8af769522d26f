/**
 * First parts of the addresses that have a screen in the web app, '' for the front page: only these are answered with
 * the app, so that a probe or a misspelt address is not told that all is well.
 */
export const screenRoots: ReadonlySet<string> = new Set([
  '',
  '404',
  'account-settings',
  'administration',
  'forgot-password',
  'group',
  'help',
  'inbox',
  'link',
  'orders',
  'organization',
  'reset-password',
  'share-code',
  'sign-in',
  'study',
  'upload',
  'worklist',
])
