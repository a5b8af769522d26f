import type { ListQuery } from '@hilum/contract/list'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { PlanReader } from '../../../test/plan-reader.ts'
import { findCaller } from '../../access/find-caller.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import { openDatabase } from '../../db/database.ts'
import { readFilter } from '../read-filter.ts'
import { studyListRules } from '@hilum/contract/calls/study'
import { countStudies, listStudyKeys } from './study-list.sql.ts'
import { prepareStudyQuestion } from './study-question.command.ts'

/*
 * A table of some hundred rows is read whole whatever indexes it has. With that forbidden, a plan that still reads the
 * table whole has no index to go by, and would be slow on a million.
 */
const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 1 })
afterAll(() => db.destroy())

const organisation = await makeOrganisation(db)
const groups = await Promise.all(Array.from({ length: 4 }, () => organisation.addGroup()))
const person = await organisation.addPerson({ groups })
const caller = await findCaller(db, person.sid, '127.0.0.1')
if (!caller || caller.kind === 'link') throw new Error('The person has a session')
const scope = await visibleStudies(caller)
await makeStudies(
  db,
  organisation.accountUuid,
  Array.from({ length: 800 }, (_, index) => ({
    phi_namespace: groups[index % 4]?.namespaceUuid ?? '',
    patient_name: `NAME${index}^GIVEN${index % 7}`,
    patientid: `M${index}`,
    patient_birth_date: `19${10 + (index % 80)}0101`,
    accession_number: `A${index}`,
    study_date: `2025${String(1 + (index % 12)).padStart(2, '0')}01`,
    modalities: [['CT', 'MR', 'US'][index % 3] ?? ''],
    tags: index % 50 === 0 ? ['Trauma'] : [],
  })),
)
await sql`analyze`.execute(db)
await sql`set enable_seqscan = off`.execute(db)

const here = { 'filter.phi_namespace.equals': groups[0]?.namespaceUuid ?? '' }

it.each<[string, Record<string, string>, string, string]>([
  ['the newest of a group', here, 'created', 'study_newest'],
  ['the newest of all groups', {}, 'created', 'study_newest'],
  ['the newest exam dates of a group', here, 'study_date', 'study_by_date'],
  ['the oldest exam dates of a group', here, '-study_date', 'study_by_date_from_oldest'],
  ['the oldest exam dates of all groups', {}, '-study_date', 'study_by_date_from_oldest'],
  ['the names of a group', here, 'patient_name', 'study_by_name'],
  ['part of a name', { 'filter.patient_name.like': '%name77%' }, 'created', 'study_search'],
  ['two words of a name', { 'filter.patient_name.like': '%given3 name7%' }, 'created', 'study_search'],
  ['a name without its apostrophe', { 'filter.patient_name.like': "%o'name77%" }, 'created', 'study_search'],
  ['the parts of a name in order', { 'filter.patient_name.like': 'NAME77%GIV%' }, 'created', 'study_search'],
  ['a piece of a study UID', { 'filter.study_uid.like': '%987654.3%' }, 'created', 'study_uid_pieces'],
  ['a short word of a name', { 'filter.patient_name.like': '%zq%' }, 'created', 'Index Scan'],
  ['a whole name', { 'filter.patient_name.equals': 'NAME7^GIVEN0' }, 'created', 'study_by_name'],
  ['an accession number', { 'filter.accession_number.equals': 'A7' }, 'created', 'study_by_accession'],
  ['an MRN', { 'filter.patientid.equals': 'm7' }, 'created', 'study_by_mrn'],
  ['a part of an MRN in another spelling', { 'filter.patientid.like': '%m-77%' }, 'created', 'study_by_bare_mrn'],
  ['a birth date', { 'filter.patient_birth_date.equals': '01-01-1950' }, 'created', 'study_by_birth_date'],
  ['one box', { 'filter.SMART_SEARCH.equals': 'name77' }, 'created', 'study_search'],
  ['a part of an MRN in one box', { 'filter.SMART_SEARCH.equals': 'm-77' }, 'created', 'study_by_bare_mrn'],
  ['the beginning of an MRN in one box', { 'filter.SMART_SEARCH.equals': 'm7' }, 'created', 'study_by_bare_mrn'],
  ['an accession number in one box', { 'filter.SMART_SEARCH.equals': 'a-7' }, 'created', 'study_by_bare_accession'],
  ['a tag', { 'filter.tags.in': '["Trauma"]' }, 'created', 'study_tags'],
  [
    'a stretch of exam dates, modalities and a tag',
    {
      ...here,
      'filter.study_date.ge': '20250301',
      'filter.modality.in': '["CT","MR"]',
      'filter.tags.in': '["Trauma"]',
    },
    'study_date',
    'study_tags',
  ],
])('an index serves %s', async (_, filters, sort, index) => {
  const query: ListQuery = {
    filters: Object.entries(filters).map(([key, value]) => readFilter(studyListRules, key, value)),
    sort: [{ field: sort.replace(/^-/, ''), descending: !sort.startsWith('-') }],
    page: { number: 1, rows: 50 },
  }
  const question = await prepareStudyQuestion(db, scope, caller, query)
  const plans = new PlanReader()
  const explaining = db.withPlugin(plans)
  await listStudyKeys(explaining, question, 51, 0)
  await countStudies(explaining, question, 10_000)
  expect(plans.lines.join('\n')).toContain(index)
  expect(plans.lines.filter((line) => /Seq Scan on study\b/.test(line))).toEqual([])
})
