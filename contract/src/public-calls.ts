/** Every call of the public v3 API (services reference 55.0 of 2022-08-03): by the first word, the rest of each path. */
const publicCalls: Readonly<Record<string, string>> = {
  session: 'csrf/enable login logout oauth oauth/start oauth/token permissions pin sign ttl user uuid',
  user: 'add delete device/clear enable event event/set get invite invite/accept join join/list join/request namespace/list password/lost password/reset pubkey/list pubkey/set set signature token welcome',
  study:
    'add approve archive attach/customfields audit cfind clone cmove comment/add comment/delete comment/get count count_by_filter delete dicomdata/load duplicate exists external/viewer fax/hl7 find/order freeze get list manual/route move node/can/remove pdf/hl7 permissions push push/hl7 question reject report/detail report/series request/add request/get request/match retrieve revive set share share/list share/stop share/who split star status/get status/history status/locks status/set sync take timing/event timing/log validate viewer/settings viewer3/settings',
  tag: 'add delete list',
  annotation: 'add delete get list set',
  keyimage: 'add delete get list',
  validate: 'add delete get list set',
  dicomdata: 'get list',
  radreport:
    'add audit delete description email fax get lock pdf set template/add template/delete template/get template/list template/set unlock user/list',
  radreportmacro: 'add delete get list set',
  customcode: 'add delete deploy deploy/get deploy/list get list set undeploy zip',
  case: 'attach delete get list return set',
  patient: 'add delete get list merge portal/find portal/list portal/login portal/pin set study/list',
  order: 'add delete get list set sps/add sps/delete sps/find sps/set sps/status',
  hl7: 'add delete extract/report get list parse/fields study/report template/add template/delete template/get template/list template/render template/set transform/add transform/delete transform/get transform/list transform/set transform/test',
  setting: 'get get/all set',
  node: 'add approve configuration connect delete deliver event found found/mwl get list log metric performance/get performance/set ping ping/ack progress/add progress/get progress/list public retrieve set study/anonymized study/queued webhook xml',
  destination: 'add delete get list retrieve search search/mwl search/report set',
  route: 'add delete get list physician/alias/match set',
  account:
    'can/share can/share/list can/share/stop connect css get list list/requestable md5/counter radreport/email/authorize set settings settings/validate user/add user/delete user/get user/list user/report/login user/set',
  location: 'add delete get list set user/add user/delete user/list',
  group: 'add delete get list scanner/validate set user/add user/delete user/list',
  role: 'add default/permissions delete get list report/detail set settings',
  activity: 'delete get list list/count',
  audit: 'account deleted failedlogins log object user',
  namespace:
    'anonymize audit coverpage engine/fqdn event/defaults permissions question removed/user/report settings share/price share/pricing share_code study/defaults validate/customfields',
  help: 'get set',
  terminology: 'account/overrides i18next list set tags',
  analytics: 'patient/portal radreport study user',
  filter: 'add delete get list set share share/list share/stop',
  customfield: 'add delete get list lookup mapping/add mapping/delete mapping/set search set',
  webhook: 'add delete email event get list run set trigger',
  link: 'add charge delete external get list mail pin redirect session sid sso status',
  purge: 'add delete get list run set',
  message: 'add count delete get list',
  dictionary: 'add attach attach/set delete detach entries entry/add entry/delete get list set',
  report: 'status zip',
  meeting: 'add delete events/add get join leave ping presenter roster set',
  appointment: 'add delete get list set',
  training: 'done todo',
  rsna: 'phr_study',
  npi: 'find',
  site: 'add delete get list set user/add user/delete user/list user/set',
  scanner: 'add delete get list set',
  query: 'add attachment/add attachment/commit attachment/delete count delete get list seen set status/set',
  qctask: 'add get set status/set',
  anonymization: 'add delete get list set',
  rule_set: 'add delete get list set',
  timer_rule: 'add delete get list set',
}

/**
 * Why a public call is not answered here, and by what the same is done: of one call, or of all below a path that ends in a
 * slash, of which the longest counts (docs/decisions/0167). A client is told it with NOT_SUPPORTED.
 */
const refusals: Readonly<Record<string, string>> = {
  // sign-in
  'session/csrf/enable': 'The installation names the pages of other origins that may ask: HILUM_CORS_ORIGINS',
  'session/oauth': 'A provider of identities signs people in by identity/begin and identity/finish',
  'session/oauth/start': 'A provider of identities signs people in by identity/offer and identity/begin',
  'session/sign':
    'Nobody signs in by a private key; a program asks by a key of session/key/add, which has a scope and an end',
  'user/pubkey/':
    'Nobody signs in by a private key; a program asks by a key of session/key/add, which has a scope and an end',
  'user/token': 'The second factor is set up by session/pin/begin, which wants the password and tells its secret once',
  'user/signature': 'Reports are not written here, so that no picture of a signature is kept',

  // people come in by whoever administers the organisation
  'user/join': 'Nobody makes a login for themselves: an administrator does, by account/user/add or user/invite',
  'user/join/':
    'The organisations of an installation are told to nobody outside of them: an administrator invites by user/invite',
  'user/invite/accept':
    'An invitation is accepted by choosing the password at the address in its mail; somebody with a login belongs to the organisation at once',

  // organisations
  'account/connect': 'Two organisations agree to exchange exams by account/connect/ask and account/connect/accept',
  'account/css':
    'An organisation has a logo and colours (account/set): a style of its own could show its people what is not there',
  'account/list/requestable': 'Exams are asked for by a link: link/add with the action STUDY_UPLOAD',
  'account/md5/counter': 'The texts to accept and their MD5 are told by account/texts',
  'account/radreport/email/authorize': 'Reports are not written here',
  'group/scanner/validate': 'Scanners are no objects here',
  'namespace/permissions': 'session/permissions tells what the caller may do in a place, study/get what with a study',
  'namespace/anonymize':
    'Nothing is made nameless on its way in or out unseen: study/deidentify/preview and study/deidentify/add make a copy without names',
  'namespace/event/defaults':
    'Each person chooses the mails of a place (user/event/set), and an administrator for others',
  'namespace/study/defaults': 'A field of an exam has what its images say or what somebody typed',
  'namespace/audit': 'The server writes the audit of what it does; nobody writes into it from outside',
  'namespace/validate/customfields':
    'study/share and the upload by a share code check the fields themselves, and name the one that will not do',
  'namespace/removed/user/report':
    'account/user/leavers lists who left, and account/user/holdings what was left behind',
  'namespace/share/': 'Nothing is charged here',
  'namespace/coverpage': 'No faxes are sent',
  'namespace/question': 'No questions are answered by a model of language',
  'customfield/search': 'Fields do not search in sources outside; people are found by account/user/list',
  'customfield/mapping/': 'A value is not copied from one field to another',
  'audit/failedlogins': 'Failed sign-ins are acts LOGIN_FAILED of audit/account and audit/user',
  'audit/log': 'The server writes the audit of what it does; nobody writes into it from outside',
  'webhook/run': 'webhook/test sends a trial, webhook/trigger one for a study',
  'webhook/email': 'A failing webhook is told to the administrators by mail, by itself',

  // nodes of others
  'node/':
    'A node is an AE title of this server: no gateway of another site asks for its work by a serial number (docs/decisions/0167)',
  'destination/search/mwl': 'destination/search asks a worklist with worklist=1',
  'destination/search/report': 'destination/search/get tells what a search found',
  'route/physician/alias/match': 'A rule names its places itself: no aliases of physicians are kept',

  // links
  'link/charge': 'Nothing is charged here',
  'link/external':
    'A secret shared with a portal opens nothing: the portal makes a link by a key of its own (docs/decisions/0135)',
  'link/sso':
    'A secret shared with a portal opens nothing: a portal signs people in by OpenID Connect (docs/decisions/0135)',
  'link/sid': 'An address in a mailbox has not the rights of a login (docs/decisions/0135)',
  'link/pin': 'A number of few digits could be found by trying (docs/decisions/0135)',
  'link/redirect':
    'The address of a link is its page; a GET that opens it would be used up by a scanner of mails (docs/decisions/0135)',

  // studies
  'study/count_by_filter': 'study/count counts with filters, and one by filter_id',
  'study/cfind': 'destination/search asks a destination',
  'study/cmove': 'destination/retrieve fetches what a search found',
  'study/retrieve': 'destination/search and destination/retrieve fetch an exam whose images are not here',
  'study/exists': 'study/list with filter.study_uid.equals finds it',
  'study/permissions': 'study/get tells the permissions',
  'study/move': 'Exams are not moved between places: they are shared, and deleted where they are no longer wanted',
  'study/clone': 'study/duplicate keeps a copy',
  'study/take': 'Exams that arrived stay in their place until somebody shares them',
  'study/freeze': 'retention/hold keeps an exam from being deleted; each edit of it is on record',
  'study/archive': 'The images of a record are not taken away while it stays: study/delete deletes both',
  'study/find/order': 'order/list finds orders by accession number or MRN',
  'study/status/':
    'The work status is a field of study/set; it has no locks and no history of its own beside study/audit',
  'study/comment/': 'Exams have no comments',
  'study/request/': 'Exams are asked for by a link: link/add with the action STUDY_UPLOAD',
  'study/report/series': 'study/report/detail makes the list of exams',
  'study/viewer/settings': 'The viewers take no settings from outside',
  'study/viewer3/settings': 'The viewers take no settings from outside',
  'study/external/viewer': 'No viewer of others is opened',
  'study/node/can/remove': 'No gateway of another site keeps copies',
  'study/attach/customfields': 'study/set writes custom fields',
  'study/validate': 'Exams are not checked by rules of others',
  'study/dicomdata/load': 'Attributes are read by DICOMweb metadata',
  'study/question': 'No questions are answered by a model of language',
  'study/push/hl7': 'Nothing is sent by HL7 but answers',
  'study/pdf/hl7': 'Nothing is sent by HL7 but answers',
  'study/fax/hl7': 'No faxes are sent',

  // whole areas
  'activity/':
    'What waits is listed where it is: study/list for approvals, destination/search/get for searches, account/notices for the rest',
  'annotation/': 'Measurements are DICOM SR, by DICOMweb',
  'anonymization/': 'study/deidentify/add makes copies without names by one profile',
  'analytics/': 'study/report/detail, account/user/report/login and role/report/detail make lists',
  'appointment/': 'Appointments are no objects here',
  'case/': 'Cases are no objects here',
  'customcode/': 'No code of others runs on the server; webhooks tell other programs',
  'dicomdata/': 'Attributes are read by DICOMweb metadata',
  'dictionary/': 'Values are not translated on their way in',
  'help/': 'The address of the help is a setting of the organisation: help_address',
  'hl7/': 'Messages come by MLLP and are kept as orders and reports (docs/conformance-hl7.md)',
  'keyimage/': 'Key images are DICOM key object selections, by DICOMweb',
  'meeting/': 'There are no meetings',
  'message/': 'There are no messages beside the words of a share',
  'npi/': 'Directories of one country are not asked',
  'patient/': 'Patients are no objects here: study/related and audit/patient go by MRN and date of birth',
  'purge/': 'retention/set has the rules, retention/bin what waits, retention/purged what is gone',
  'qctask/': 'Clinical trials are no part of this',
  'query/': 'Clinical trials are no part of this',
  'radreport/': 'Reports are not written here; they come by HL7 or as files',
  'radreportmacro/': 'Reports are not written here; they come by HL7 or as files',
  'rsna/': 'Directories of one country are not asked',
  'rule_set/': 'Rules are route/add',
  'scanner/': 'Scanners are no objects here',
  'site/': 'Clinical trials are no part of this',
  'terminology/': 'The words of the screens are not changed by an organisation',
  'timer_rule/': 'Rules are route/add; a delay and a schedule are theirs',
  'training/': 'There is no training to be done',
  'validate/': 'Exams are not checked by rules of others',
}

/** The reason that a public call is refused by; undefined for a path that the public API does not have. */
export function whyRefused(path: string): string | undefined {
  const [area = '', ...rest] = path.split('/')
  if (!Object.hasOwn(publicCalls, area) || !publicCalls[area]?.split(' ').includes(rest.join('/'))) return undefined
  const named = Object.keys(refusals).filter((one) => (one.endsWith('/') ? path.startsWith(one) : path === one))
  return refusals[named.toSorted((a, b) => b.length - a.length)[0] ?? '']
}

/** Public calls that are refused, each with its reason. */
export function listRefused(answered: ReadonlySet<string>): { path: string; why: string }[] {
  return publicPaths()
    .filter((path) => !answered.has(path))
    .map((path) => ({ path, why: whyRefused(path) ?? '' }))
}

export function publicPaths(): string[] {
  return Object.entries(publicCalls).flatMap(([area, names]) => names.split(' ').map((name) => `${area}/${name}`))
}

/** Paths, and beginnings of paths, that have a reason. */
export const refusedPaths: readonly string[] = Object.keys(refusals)
