import { sql } from 'kysely'
import { afterAll } from 'vitest'
import type { Caller } from '../src/access/caller.ts'
import { findCaller } from '../src/access/find-caller.ts'
import { openDatabase } from '../src/db/database.ts'
import { openLog } from '../src/log.ts'
import type { Services } from '../src/services.ts'
import { freshDatabase } from './fresh-database.ts'
import { makeOrganisation, type Person } from './make-organisation.ts'

/** A database with people in it, for questions of access that need no server. Call it at the top of a test file. */
export async function startAccess() {
  const { url } = await freshDatabase()
  const { db } = openDatabase({ connectionString: url, max: 4 })
  const log = openLog('silent')
  afterAll(() => db.destroy())

  async function callerOf({ sid }: Pick<Person, 'sid'>): Promise<Caller> {
    const caller = await findCaller(db, sid, '192.0.2.1')
    if (!caller || caller.kind === 'link') throw new Error('There is no session of a user')
    return caller
  }

  /** An account with a group, and somebody in it. */
  async function makePlace(role = 'Clinician') {
    const organisation = await makeOrganisation(db)
    const group = await organisation.addGroup()
    const person = await organisation.addPerson({ role, groups: [group] })
    const place = { namespaceUuid: group.namespaceUuid, accountUuid: organisation.accountUuid }
    return { organisation, group, person, place, caller: await callerOf(person) }
  }

  /** All that access asks of a server process. */
  const services = { db, log } as Services
  return { db, services, callerOf, makePlace, run: (statement: string) => sql.raw(statement).execute(db) }
}
