import { type Kysely, sql } from 'kysely'

/**
 * Indexes of people in each order of their lists, which hold all that lists are narrowed by: a page, however far behind and
 * whatever is looked for, and the number of all are read from one of them. By first and last name all rows were sorted for
 * each page, and pages far behind in another order than that by name read a row for each person that they passed over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const held = ['disabled', 'role_uuid', 'name', 'first', 'last', 'email', 'login', 'last_login']

/** An index by these columns with the others beside them. The longest of all fit into an entry (2,700 bytes). */
const index = (name: string, ...by: readonly string[]) => {
  const columns = by.map((one) => one.split(' ')[0])
  const others = held.filter((one) => !columns.includes(one))
  return `create index ${name} on listed_person (${by.join(', ')}) include (${others.join(', ')})`
}

const statements = [
  'drop index listed_person_by_name',
  'drop index listed_person_by_email',
  'drop index listed_person_by_sign_in',
  'drop index listed_person_by_role',
  index('listed_person_by_name', 'place_uuid', 'name', 'user_uuid'),
  index('listed_person_by_first', 'place_uuid', 'first', 'name', 'user_uuid'),
  index('listed_person_by_last', 'place_uuid', 'last', 'name', 'user_uuid'),
  index('listed_person_by_email', 'place_uuid', 'email', 'user_uuid'),
  index('listed_person_by_sign_in', 'place_uuid', 'last_login desc', 'name', 'user_uuid'),
  index('listed_person_by_oldest_sign_in', 'place_uuid', 'last_login', 'name', 'user_uuid'),
  index('listed_person_by_role', 'role_uuid', 'name', 'user_uuid', 'place_uuid'),
]
