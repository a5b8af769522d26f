import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { namespacesQuery } from '../queries/namespaces.ts'
import { queryClient } from '../queries/query-client.ts'
import { DashboardScreen } from '../screens/dashboard-screen.tsx'
import { ErrorScreen } from '../screens/error-screen.tsx'
import { SignedInScreen } from '../screens/signed-in-screen.tsx'
import { StudiesScreen } from '../screens/studies-screen.tsx'
import { WaitingScreen } from '../screens/waiting-screen.tsx'
import { goOnFromLogin, pastInbox, requireInbox, requireSession, settleSearch, settleSession } from './guards.ts'
import { warnOfChildren } from './public-routes.ts'
import { readListSearch, readWorklistSearch } from '../state/list-search.ts'
import type { SearchState } from '../state/search-trail.ts'

const NotFoundScreen = lazyRouteComponent(() => import('../screens/not-found-screen.tsx'), 'NotFoundScreen')

async function loadInboxes(): Promise<void> {
  const session = await settleSession()
  if (session) await queryClient.ensureQueryData(namespacesQuery(session.account.uuid))
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen, errorComponent: ErrorScreen })

const login = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: goOnFromLogin,
  component: lazyRouteComponent(() => import('../screens/login-screen.tsx'), 'LoginScreen'),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../screens/forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$token',
  component: lazyRouteComponent(() => import('../screens/reset-password-screen.tsx'), 'ResetPasswordScreen'),
})
const signInReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/return',
  beforeLoad: async () => void (await settleSession()),
  component: lazyRouteComponent(() => import('../screens/sign-in-return-screen.tsx'), 'SignInReturnScreen'),
})
const link = createRoute({
  getParentRoute: () => root,
  path: '/link/$token',
  component: lazyRouteComponent(() => import('../screens/link-screen.tsx'), 'LinkScreen'),
})
const shareCode = createRoute({
  getParentRoute: () => root,
  path: '/share-code/$code',
  component: lazyRouteComponent(() => import('../screens/share-code-screen.tsx'), 'ShareCodeScreen'),
})
const help = createRoute({
  getParentRoute: () => root,
  path: '/help',
  component: lazyRouteComponent(() => import('../screens/help-screen.tsx'), 'HelpScreen'),
})
const notFound = createRoute({ getParentRoute: () => root, path: '/404', component: NotFoundScreen })
// /inbox/* is the same as /* (ROUTE-09).
const inboxAlias = createRoute({
  getParentRoute: () => root,
  path: '/inbox/$',
  beforeLoad: ({ location }) => {
    throw redirect({ href: pastInbox(location.href), replace: true })
  },
})
const pagesOfOrganisation: Readonly<
  Record<string, '/administration/users' | '/administration/groups' | '/administration/routing-rules'>
> = {
  'users.html': '/administration/users',
  'groups.html': '/administration/groups',
  'routing-rules.html': '/administration/routing-rules',
}
// The pages of the public product's administration (ROUTE-15).
const organisationAlias = createRoute({
  getParentRoute: () => root,
  path: '/organization/$page',
  beforeLoad: ({ params }) => {
    throw redirect({ to: pagesOfOrganisation[params.page] ?? '/administration', replace: true })
  },
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: SignedInScreen,
})
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/account-settings',
  component: lazyRouteComponent(() => import('../screens/account-settings-screen.tsx'), 'AccountSettingsScreen'),
})
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../features/account/profile.tsx'), 'Profile'),
})
const password = createRoute({
  getParentRoute: () => settings,
  path: '/password',
  component: lazyRouteComponent(() => import('../features/account/change-password.tsx'), 'ChangePassword'),
})
const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../features/account/notifications.tsx'), 'Notifications'),
})
const appearance = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  component: lazyRouteComponent(() => import('../features/account/appearance.tsx'), 'Appearance'),
})
const twoFactor = createRoute({
  getParentRoute: () => settings,
  path: '/two-factor',
  component: lazyRouteComponent(() => import('../features/account/two-factor.tsx'), 'TwoFactor'),
})
const ownSessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../features/account/own-sessions.tsx'), 'OwnSessions'),
})
const ownIdentities = createRoute({
  getParentRoute: () => settings,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../features/account/own-identities.tsx'), 'OwnIdentities'),
})
const ownKeys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('../features/account/own-keys.tsx'), 'OwnKeys'),
})
const ownOutside = createRoute({
  getParentRoute: () => settings,
  path: '/outside',
  component: lazyRouteComponent(() => import('../features/administration/outside/outside-access.tsx'), 'OwnOutside'),
})
const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/administration',
  component: lazyRouteComponent(() => import('../screens/administration-screen.tsx'), 'AdministrationScreen'),
})
const firstSteps = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: lazyRouteComponent(
    () => import('../features/administration/first-steps/first-steps.tsx'),
    'FirstStepsPage',
  ),
})
const users = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  component: lazyRouteComponent(() => import('../features/administration/users/users.tsx'), 'Users'),
})
const connections = createRoute({
  getParentRoute: () => administration,
  path: '/connections',
  component: lazyRouteComponent(() => import('../features/administration/connections/connections.tsx'), 'Connections'),
})
const outside = createRoute({
  getParentRoute: () => administration,
  path: '/outside',
  component: lazyRouteComponent(
    () => import('../features/administration/outside/outside-access.tsx'),
    'OutsideOfEveryone',
  ),
})
const keepingAndPurging = createRoute({
  getParentRoute: () => administration,
  path: '/retention',
  component: lazyRouteComponent(
    () => import('../features/administration/retention/retention.tsx'),
    'KeepingAndPurging',
  ),
})
const routingRules = createRoute({
  getParentRoute: () => administration,
  path: '/routing-rules',
  component: lazyRouteComponent(() => import('../features/administration/routing/routing-rules.tsx'), 'RoutingRules'),
})
const webhooks = createRoute({
  getParentRoute: () => administration,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../features/administration/webhooks/webhooks.tsx'), 'Webhooks'),
})
const security = createRoute({
  getParentRoute: () => administration,
  path: '/security',
  component: lazyRouteComponent(() => import('../features/administration/security.tsx'), 'Security'),
})
const signInProvider = createRoute({
  getParentRoute: () => administration,
  path: '/sign-in',
  component: lazyRouteComponent(
    () => import('../features/administration/sign-in/sign-in-provider.tsx'),
    'SignInProvider',
  ),
})
const customFields = createRoute({
  getParentRoute: () => administration,
  path: '/custom-fields',
  component: lazyRouteComponent(
    () => import('../features/administration/custom-fields/custom-field-definitions.tsx'),
    'CustomFieldDefinitions',
  ),
})
const destinations = createRoute({
  getParentRoute: () => administration,
  path: '/destinations',
  component: lazyRouteComponent(
    () => import('../features/administration/destinations/destinations.tsx'),
    'Destinations',
  ),
})
const groups = createRoute({
  getParentRoute: () => administration,
  path: '/groups',
  component: lazyRouteComponent(() => import('../features/administration/groups/groups.tsx'), 'Groups'),
})
const locations = createRoute({
  getParentRoute: () => administration,
  path: '/locations',
  component: lazyRouteComponent(() => import('../features/administration/groups/groups.tsx'), 'Locations'),
})
const roles = createRoute({
  getParentRoute: () => administration,
  path: '/roles',
  component: lazyRouteComponent(() => import('../features/administration/roles/roles.tsx'), 'Roles'),
})
const outbox = createRoute({
  getParentRoute: () => administration,
  path: '/outbox',
  component: lazyRouteComponent(() => import('../features/administration/mail-outbox.tsx'), 'MailOutbox'),
})
const organisation = createRoute({
  getParentRoute: () => administration,
  path: '/organisation',
  component: lazyRouteComponent(
    () => import('../features/administration/organisation/organisation.tsx'),
    'Organisation',
  ),
})
const audit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  component: lazyRouteComponent(() => import('../features/administration/audit/audit.tsx'), 'Audit'),
})
const refused = createRoute({
  getParentRoute: () => administration,
  path: '/refused',
  component: lazyRouteComponent(() => import('../features/administration/refused-access.tsx'), 'RefusedAccess'),
})
const system = createRoute({
  getParentRoute: () => administration,
  path: '/system',
  component: lazyRouteComponent(() => import('../features/administration/system/system.tsx'), 'System'),
})
const accountWork = createRoute({
  getParentRoute: () => administration,
  path: '/work',
  component: lazyRouteComponent(() => import('../features/administration/account-work.tsx'), 'AccountWork'),
})
/** Needs the places of the account, as the dashboard does, but not the account's leave to use the inbox (ROUTE-13). */
const worklist = createRoute({
  getParentRoute: () => signedIn,
  path: '/worklist',
  validateSearch: readWorklistSearch,
  beforeLoad: settleSearch,
  loader: loadInboxes,
  component: lazyRouteComponent(() => import('../screens/worklist-screen.tsx'), 'WorklistScreen'),
})

/** PERM-16: needs the places of the account for the groups that orders are for. */
const orders = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders',
  loader: loadInboxes,
  component: lazyRouteComponent(() => import('../screens/orders-screen.tsx'), 'OrdersScreen'),
})

/** For people of an account without the inbox who may upload; others have the wizard in the inbox. */
const uploadOnly = createRoute({
  getParentRoute: () => signedIn,
  path: '/upload',
  loader: loadInboxes,
  component: lazyRouteComponent(() => import('../screens/upload-screen.tsx'), 'UploadOnlyScreen'),
})

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  id: 'dashboard',
  beforeLoad: requireInbox,
  loader: loadInboxes,
  component: DashboardScreen,
})
const allGroups = createRoute({
  getParentRoute: () => dashboard,
  path: '/group/list',
  validateSearch: readListSearch,
  beforeLoad: settleSearch,
  component: StudiesScreen,
})
const group = createRoute({
  getParentRoute: () => dashboard,
  path: '/group/$groupId/{-$state}',
  validateSearch: readListSearch,
  beforeLoad: settleSearch,
  component: StudiesScreen,
})
const anyGroup = createRoute({
  getParentRoute: () => dashboard,
  path: '/group',
  // ROUTE-03: with no group named, the first one.
  beforeLoad: async () => {
    const session = await settleSession()
    if (!session) return
    const inboxes = await queryClient.ensureQueryData(namespacesQuery(session.account.uuid))
    const first = inboxes.find(({ kind }) => kind === 'group') ?? inboxes[0]
    throw redirect(first ? { to: '/group/$groupId/{-$state}', params: { groupId: first.id } } : { to: '/group/list' })
  },
})
const upload = createRoute({
  getParentRoute: () => dashboard,
  path: '/study/upload',
  validateSearch: (search: Record<string, unknown>): { group?: string } => ({
    group: typeof search['group'] === 'string' ? search['group'] : undefined,
  }),
  component: lazyRouteComponent(() => import('../screens/upload-screen.tsx'), 'UploadScreen'),
})
const request = createRoute({
  getParentRoute: () => dashboard,
  path: '/study/request/$groupId',
  component: lazyRouteComponent(() => import('../screens/request-screen.tsx'), 'RequestStudyScreen'),
})
const retrieve = createRoute({
  getParentRoute: () => dashboard,
  path: '/study/retrieve/$groupId',
  component: lazyRouteComponent(() => import('../screens/begin-screens.tsx'), 'RetrieveStudyScreen'),
})

const tree = root.addChildren([
  login,
  forgot,
  reset,
  signInReturn,
  link,
  shareCode,
  help,
  notFound,
  inboxAlias,
  organisationAlias,
  signedIn.addChildren([
    settings.addChildren([
      profile,
      password,
      notifications,
      appearance,
      twoFactor,
      ownSessions,
      ownIdentities,
      ownKeys,
      ownOutside,
    ]),
    worklist,
    orders,
    uploadOnly,
    administration.addChildren([
      firstSteps,
      users,
      groups,
      locations,
      roles,
      security,
      signInProvider,
      routingRules,
      webhooks,
      connections,
      outside,
      keepingAndPurging,
      destinations,
      outbox,
      organisation,
      customFields,
      audit,
      refused,
      accountWork,
      system,
    ]),
    dashboard.addChildren([allGroups, group, anyGroup, upload, request, retrieve]),
  ]),
])

warnOfChildren([login, forgot, reset, signInReturn, link, shareCode, help, notFound])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: false,
  defaultPendingComponent: WaitingScreen,
  defaultPendingMs: 150,
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState extends SearchState {}
}
