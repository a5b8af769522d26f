import { acceptedOnServer } from './accepted-on-server.ts'
import { type AcceptedSurvivor, named, toText } from './accepted-survivor.ts'

const splice = 'dicom/src/splice.ts'
const anyIssuer = 'equivalent: any one name serves for the issuer that both are taken to have'
const sameLength = 'equivalent: of two of one length either may be taken for the shorter'
const byComparison = 'equivalent: what the pattern lets through, the comparison with the date as read refuses'
const foldedAlike = 'equivalent: both sides are folded alike'
const everyPair = 'equivalent: nobody differs from himself, and pairs may be compared twice'

export const acceptedSurvivors: readonly AcceptedSurvivor[] = [
  {
    file: 'dicom/src/identity-mrn.ts',
    change: 'a.patientIdIssuer.trim() || b.patientIdIssuer.trim() → false',
    reason: anyIssuer,
  },
  {
    file: 'dicom/src/identity-mrn.ts',
    change:
      'a.patientIdIssuer.trim() || b.patientIdIssuer.trim() → a.patientIdIssuer.trim() && b.patientIdIssuer.trim()',
    reason: anyIssuer,
  },
  {
    file: 'dicom/src/identity-name.ts',
    change: `'name-different' → ""`,
    reason: 'equivalent: it stands in the list and behind it, and either is enough',
  },
  {
    file: 'dicom/src/identity-name.ts',
    change: toText,
    reason: 'equivalent: both sides have three components',
  },
  {
    file: 'dicom/src/identity-name.ts',
    change: 'words.length <= others.length → words.length < others.length',
    reason: sameLength,
  },
  {
    file: 'dicom/src/identity-name.ts',
    change: 'one.length <= other.length → one.length < other.length',
    reason: sameLength,
  },
  {
    file: 'dicom/src/identity.ts',
    change: 'text.trim().toUpperCase() → text.trim().toLowerCase()',
    reason: foldedAlike,
  },
  {
    file: 'contract/src/custom-field-rules.ts',
    change: '[] → ["Stryker was here"]',
    reason: 'a field without choices then takes one value that nobody sends',
  },
  ...named('contract/src/custom-field-rules.ts', byComparison, [
    '/^\\d{4}-\\d{2}-\\d{2}$/ → /\\d{4}-\\d{2}-\\d{2}$/',
    '/^\\d{4}-\\d{2}-\\d{2}$/ → /^\\d{4}-\\d{2}-\\d{2}/',
  ]),
  {
    file: 'contract/src/custom-field-rules.ts',
    change: 'today.toISOString().slice(0, 10) → today.toISOString()',
    reason: 'equivalent: a day sorts before every time of it and behind every time of the day before',
  },
  {
    file: 'contract/src/study-field-access.ts',
    change: `'study_field_customfield' → ""`,
    reason: 'equivalent: the name is written and read by this file alone',
  },
  { file: splice, change: `[] → ["Stryker was here"]`, on: 'drops = []', reason: 'equivalent: no tag is a text' },
  {
    file: splice,
    change: 'clean.toUpperCase() → clean.toLowerCase()',
    reason: foldedAlike,
  },
  {
    file: splice,
    change: 'element.tag < tag → element.tag <= tag',
    reason: 'equivalent: the attribute is absent, so that no element has its tag',
  },
  {
    file: splice,
    change: 'elements[0]?.start → elements[0].start',
    reason: 'equivalent: the data set of an instance has its UIDs at least',
  },
  {
    file: splice,
    change: '!meta → false',
    reason: 'equivalent: a file without group 0002 lacks its beginning by the next question, too',
  },
  {
    file: 'dicom/src/value-rules.ts',
    change: 'text.length * MAX_UTF8_BYTES > MAX_SHORT_BYTES → text.length * MAX_UTF8_BYTES >= MAX_SHORT_BYTES',
    reason: 'equivalent: no number of characters takes so many bytes exactly',
  },
  {
    file: 'dicom/src/value-rules.ts',
    change: toText,
    on: 'replaceAll(lineBreaks',
    reason: 'equivalent: nothing unwritable stands in either',
  },
  {
    file: 'dicom/src/value-rules.ts',
    change: toText,
    on: "const [digits = '']",
    reason: 'equivalent: what was split has a first part',
  },
  {
    file: 'dicom/src/value-rules.ts',
    change: '{ maxChars: UNLIMITED } → {}',
    on: 'UC:',
    reason: 'equivalent: no length is greater than one that is not there',
  },
  { file: 'web/src/features/upload/mrn-rules.ts', change: 'people.slice(at + 1) → people', reason: everyPair },
  { file: 'web/src/features/upload/mrn-rules.ts', change: 'at + 1 → at - 1', reason: everyPair },
  {
    file: 'web/src/features/upload/mrn-rules.ts',
    change: 'identity.patientId.toUpperCase() → identity.patientId.toLowerCase()',
    reason: foldedAlike,
  },
  {
    file: 'web/src/features/upload/upload-plan.ts',
    change: 'value .toUpperCase() → value.toLowerCase()',
    reason: foldedAlike,
  },
  {
    file: 'web/src/features/upload/upload-plan.ts',
    change: '{ ...person } → {}',
    reason: 'equivalent: each of the five fields is set below',
  },
  {
    file: 'web/src/features/upload/upload-plan.ts',
    change: '[] → ["Stryker was here"]',
    reason: 'a person that is a text, which the types forbid',
  },
  ...acceptedOnServer,
]
