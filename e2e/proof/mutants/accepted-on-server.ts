import { type AcceptedSurvivor, named, toText } from './accepted-survivor.ts'

const addressKey = 'server/src/access/address-key.ts'
const noteRefusal = 'server/src/areas/audit/note-refusal.command.ts'
const verifyAudit = 'server/src/areas/audit/verify-audit.command.ts'
const recordAccess = 'server/src/areas/audit/record-access.command.ts'
const editStudy = 'server/src/areas/study/edit-study.command.ts'
const completeStudy = 'server/src/areas/ingest/complete-study.command.ts'
const findCaller = 'server/src/access/find-caller.ts'
const resolveSubject = 'server/src/access/resolve-subject.ts'
const listedBefore = 'equivalent: the list of fields has refused other names before'
const everyAttribute = 'equivalent: every listed attribute has a VR and is in the dictionary'
const noOtherError = 'equivalent: no other error comes from there'
const noDate = 'equivalent: with a sign left in it the text is no date, and is sought as it is'
const notRead = 'equivalent: nothing reads it where there is no range'
const byDatabase = 'equivalent: the database passes over the blanks'
const noSuchGroups = 'equivalent: every address has a part in front, and one without a gap has eight groups there'
const onlyRemembered = 'equivalent: how much is remembered changes nothing of what is read'
const nothingToSay = 'equivalent: of no study nothing is said'
const nextRun = 'what is left is completed by the next run, seconds later'
const everyColumn = 'equivalent: every record has a text there'
const ofSomebody = 'equivalent: the database keeps no session of nobody'
const noCase = 'equivalent: without a case of its own nothing is found either'
const noZone = 'equivalent: what does not begin with a letter is the name of no zone'

export const acceptedOnServer: readonly AcceptedSurvivor[] = [
  ...named('server/src/areas/study/field-access.policy.ts', listedBefore, [
    '/^customfield-(.+)$/ → /customfield-(.+)$/',
    '/^customfield-(.+)$/ → /^customfield-(.+)/',
  ]),
  ...named('server/src/areas/altered/phi.presenter.ts', everyAttribute, [
    toText,
    'studyAttributes[name]?.vr → studyAttributes[name].vr',
    'findEntry(tag)?.keyword → findEntry(tag).keyword',
  ]),
  {
    file: 'server/src/areas/dicomweb/qido.presenter.ts',
    change: 'false → true',
    reason: 'equivalent: whether images are of several patients decides how files are corrected, not answers',
  },
  {
    file: 'server/src/areas/dicomweb/qido.presenter.ts',
    change: `[] → ["Stryker was here"]`,
    on: 'edit.drops ?? []',
    reason: 'equivalent: no answer has an attribute of that name',
  },
  {
    file: 'server/src/areas/dicomweb/qido.presenter.ts',
    change: 'a < b → a <= b',
    reason: 'equivalent: no tag is there twice',
  },
  ...named(findCaller, onlyRemembered, [
    'remembered.size >= MAX_REMEMBERED → true',
    'remembered.size >= MAX_REMEMBERED → false',
    'remembered.size >= MAX_REMEMBERED → remembered.size > MAX_REMEMBERED',
    'remembered.size >= MAX_REMEMBERED → remembered.size < MAX_REMEMBERED',
    'remembered.clear() → ;',
    'remembered.set(text, read) → ;',
  ]),
  ...named(completeStudy, nothingToSay, ['found.length > 0 → true', 'found.length > 0 → found.length >= 0']),
  ...named(completeStudy, nextRun, [
    'batch.length < MOST_AT_ONCE → true',
    'batch.length < MOST_AT_ONCE → batch.length <= MOST_AT_ONCE',
  ]),
  {
    file: 'server/src/access/study-access.ts',
    change: 'storage_namespace === record.storage_namespace → false',
    reason: 'equivalent: the database is asked, and says the same',
  },
  ...named(editStudy, 'equivalent: nothing is written that was not asked for', [
    'values.length > 0 → true',
    'values.length > 0 → values.length >= 0',
    'setting.workStatus === undefined → false',
  ]),
  ...named(editStudy, 'equivalent: who stood under the number with this patient before is left out below', [
    '(tag) => before[tag] === after[tag] → () => undefined',
    'before[tag] === after[tag] → false',
  ]),
  { file: editStudy, change: "after.patientid === '' → false", reason: 'equivalent: nobody is found by no number' },
  { file: editStudy, change: toText, on: 'tags[tag] ??', reason: 'equivalent: what changed has a value' },
  { file: editStudy, change: toText, on: "before['patientid'] ??", reason: everyColumn },
  { file: editStudy, change: toText, on: 'values[tag] ??', reason: everyColumn },
  { file: editStudy, change: toText, on: 'after.patientid ===', reason: 'equivalent: nobody is found by no number' },
  {
    file: editStudy,
    change: toText,
    on: 'isAnnounced ?',
    reason: 'equivalent: neither is a date or a sex from which another could differ',
  },
  ...named(noteRefusal, 'equivalent: nothing of that name exists', [
    'names.uuids.length === 0 && names.uidsAnywhere.length === 0 → false',
    `typeof name === 'string' → true`,
    'texts.filter((text) => uidForm.test(text)) → texts',
    'uidsAnywhere.filter((uid) => uidForm.test(uid)) → uidsAnywhere',
    'things.length === 0 → false',
    'uid !== null → true',
  ]),
  ...['uidsAnywhere = []', '[name] : []', 'const sids', '[first] : []'].map((on) => {
    return { file: noteRefusal, change: `[] → ["Stryker was here"]`, on, reason: 'equivalent: no name and no line' }
  }),
  { file: noteRefusal, change: `'Study' → ""`, reason: 'equivalent: what stands in no list comes first as well' },
  { file: noteRefusal, change: `'/' → ""`, reason: 'equivalent: the parts of the key have forms of their own' },
  ...named(noteRefusal, 'equivalent: a link has no person, and the database keeps none', [
    `who.kind === 'link' → false`,
    `'link' → ""`,
  ]),
  ...named(noteRefusal, 'equivalent: a person owns the namespace of the own name', ['uuid === who.userUuid → false']),
  ...[`namespace ?? ''`, `uid ?? ''`, `thing.namespace_uuid ?? ''`].map((on) => {
    return { file: noteRefusal, change: toText, on, reason: 'equivalent: neither is the name of anything' }
  }),
  {
    file: 'server/src/areas/audit/note-refused-sender.command.ts',
    change: 'acts.size === 0 → false',
    reason: 'equivalent: of no service nothing is counted',
  },
  ...named('server/src/areas/audit/erase-details.command.ts', 'equivalent: the rows come in their order', [
    '(one, other) => one - other → () => undefined',
    'one - other → one + other',
  ]),
  {
    file: 'server/src/areas/audit/audit.sql.ts',
    change: '`asc` → ``',
    reason: 'equivalent: without a word the order is ascending',
  },
  ...named(recordAccess, onlyRemembered, [
    'remembered.clear() → ;',
    'remembered.has(key) → false',
    'remembered.size >= MAX_REMEMBERED → true',
    'remembered.size >= MAX_REMEMBERED → false',
    'remembered.size >= MAX_REMEMBERED → remembered.size > MAX_REMEMBERED',
    'remembered.size >= MAX_REMEMBERED → remembered.size < MAX_REMEMBERED',
    'remembered.add(key) → ;',
  ]),
  ...named(recordAccess, 'equivalent: any text serves that tells one detail from another', [
    "createHash('sha256').update(JSON.stringify(detail)).digest('hex').slice(0, 32) → createHash('sha256').update(JSON.stringify(detail)).digest('hex')",
    `'hex' → ""`,
  ]),
  ...named(verifyAudit, 'equivalent: a row that is there and not genuine is among the others', [
    toText,
    'others[0]?.digest → others[0].digest',
  ]),
  {
    file: verifyAudit,
    change: 'row.at.getTime() + LATEST_MS < before → row.at.getTime() + LATEST_MS <= before',
    reason: 'one millisecond of the hour that a row may be late',
  },
  {
    file: 'server/src/areas/audit/seal-audit.job.ts',
    change: 'rows.length === 0 → false',
    reason: 'only a second process that seals at the same time finds no rows; a seal of none holds as well',
  },
  {
    file: 'server/src/areas/audit/seal.sql.ts',
    change: 'after?.at_text ?? null → after?.at_text && null',
    reason: 'rows of one number are met only where somebody put one in, which the seal tells',
  },
  {
    file: verifyAudit,
    change: 'before !== undefined → true',
    reason: 'equivalent: no number is less than a time that is not there',
  },
  ...named('server/src/areas/audit/refusal.sql.ts', 'equivalent: the database gives the same', [
    'sidDigests.length === 0 → false',
    'rows[0]?.uuid → rows[0].uuid',
  ]),
  ...named(findCaller, ofSomebody, [
    `'A session of nobody' → ""`,
    'userUuid === null || namespaceUuid === null → false',
    'userUuid === null || namespaceUuid === null → userUuid === null && namespaceUuid === null',
    'userUuid === null → false',
    'namespaceUuid === null → false',
  ]),
  ...named(resolveSubject, noCase, [`'anyone' → ""`, `'caller' → ""`]),
  { file: addressKey, change: toText, on: "const [head = '', tail = '']", reason: noSuchGroups },
  { file: findCaller, change: 'known → false', on: 'if (known)', reason: onlyRemembered },
  {
    file: 'server/src/access/stored-field-flags.ts',
    change: '{ return undefined // a setting is whatever text somebody kept } → {}',
    reason: 'equivalent: without a return nothing is returned either',
  },
  {
    file: findCaller,
    change: toText,
    on: 'readFlags(row.role_fields',
    reason: 'equivalent: where there is no role, no flags of one are kept',
  },
  {
    file: resolveSubject,
    change: 'first !== undefined → true',
    reason: 'equivalent: where there are others there is a first',
  },
  {
    file: resolveSubject,
    change: `one.kind === 'account' → true`,
    on: 'one.ownerUuid === accountUuid',
    reason: 'equivalent: nothing else has the uuid of an account',
  },
  {
    file: 'server/src/access/sid-of-request.ts',
    change: toText,
    reason: 'equivalent: neither holds a token or a cookie',
  },
  { file: 'server/src/db/filter-zone.ts', change: `'0' → ""`, reason: 'equivalent: an offset always has hours' },
  {
    file: 'server/src/areas/filter/read-configuration.ts',
    change: `typeof one === 'string' → true`,
    reason: 'equivalent: no number has the form of a uuid',
  },
  {
    file: 'server/src/areas/filter/read-configuration.ts',
    change: 'cause instanceof ApiError → true',
    reason: noOtherError,
  },
  {
    file: 'server/src/areas/list-page.ts',
    change: 'total === undefined → false',
    reason: 'equivalent: a copy of the row instead of the row',
  },
  {
    file: 'server/src/areas/read-filter.ts',
    change: toText,
    reason: 'equivalent: neither is JSON',
  },
  { file: 'server/src/db/filter-sql.ts', change: '/^%|%$/g → /%|%$/g', reason: noDate },
  { file: 'server/src/db/filter-sql.ts', change: '/^%|%$/g → /^%|%/g', reason: noDate },
  { file: 'server/src/db/filter-sql.ts', change: `{ from: '', until: '' } → {}`, reason: notRead },
  { file: 'server/src/db/filter-sql.ts', change: toText, reason: notRead },
  { file: 'server/src/db/filter-sql.ts', change: 'value.trim() → value', reason: byDatabase },
  { file: 'server/src/db/filter-stamp.ts', change: 'error instanceof RangeError → true', reason: noOtherError },
  {
    file: 'server/src/db/filter-stamp.ts',
    change: '{ if (error instanceof RangeError) return undefined throw error } → {}',
    reason: noOtherError,
  },
  { file: 'server/src/db/filter-zone.ts', change: 'error instanceof RangeError → true', reason: noOtherError },
  {
    file: 'server/src/db/filter-zone.ts',
    change: '{ if (error instanceof RangeError) return false throw error } → {}',
    reason: 'equivalent: nothing is not true either',
  },
  { file: 'server/src/db/filter-zone.ts', change: '/^[A-Za-z]/ → /[A-Za-z]/', reason: noZone },
  {
    file: 'server/src/db/filter-zone.ts',
    change: toText,
    reason: 'equivalent: no zone has either name',
  },
  {
    file: 'server/src/areas/study/sync.call.ts',
    change: toText,
    reason: 'equivalent: neither holds a number',
  },
]
