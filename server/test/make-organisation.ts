import { randomUUID } from 'node:crypto'
import type { InboxConfig } from '@hilum/contract/inbox-config'
import { foldText } from '@hilum/dicom/person-name'
import { sql } from 'kysely'
import { digestOf, newSid } from '../src/access/sid.ts'
import { createAccount, type CreatedAccount } from '../src/areas/account/create-account.command.ts'
import { createGroup } from '../src/areas/group/create-group.command.ts'
import { addGroupMember } from '../src/areas/group/group-write.sql.ts'
import { addSession } from '../src/areas/session/sign-in.sql.ts'
import { addWithHash } from '../src/areas/user/create-user.command.ts'
import { hashPassword } from '../src/areas/user/password-hash.ts'
import type { Database } from '../src/db/database.ts'

export const goodPassword = '42lantern-boat'

export interface Person {
  userUuid: string
  /** The personal namespace. */
  namespaceUuid: string
  email: string
  name: string
  /** A live session. */
  sid: string
}
export interface Group {
  groupUuid: string
  namespaceUuid: string
}
export interface Organisation extends CreatedAccount {
  addGroup: (group?: { name?: string; config?: Partial<InboxConfig> }) => Promise<Group>
  addPerson: (person?: {
    role?: string
    groups?: readonly Group[]
    email?: string
    login?: string
    password?: string
  }) => Promise<Person>
}

let made = 0
/** Hashing takes longer than everything else about a made person, so that people with one password share its hash. */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** An account as a new one is made, with ways to put groups and people into it. */
export async function makeOrganisation(
  db: Database,
  account: { name?: string; vanity?: string; settings?: Record<string, string> } = {},
): Promise<Organisation> {
  const created = await db
    .transaction()
    .execute((tx) => createAccount(tx, { name: `Organisation ${++made}`, ...account }))
  const { accountUuid, roles } = created
  return {
    ...created,
    addGroup: ({ name = `Group ${++made}`, config = {} } = {}) =>
      db
        .transaction()
        .execute((tx) => createGroup(tx, { accountUuid, name, config: { group_designation: 'CLOUD', ...config } })),
    addPerson: async ({ role = 'Clinician', groups = [], password = goodPassword, ...rest } = {}) => {
      const number = ++made
      const user = {
        email: rest.email ?? `person${number}@hospital.example`,
        first: 'Ada',
        last: `Person ${number}`,
        login: rest.login ?? '',
      }
      const roleUuid = roles.get(role)
      if (!roleUuid) throw new Error(`There is no role ${role}`)
      const { userUuid, namespaceUuid } = await db.transaction().execute(async (tx) => {
        const person = await addWithHash(
          tx,
          { accountUuid, roleUuid, isAddressProven: true, ...user },
          await hashOf(password),
        )
        for (const group of groups) await addGroupMember(tx, group.groupUuid, person.userUuid)
        return person
      })
      const sid = await makeSession(db, userUuid)
      return { userUuid, namespaceUuid, email: user.email, name: `${user.first} ${user.last}`, sid }
    },
  }
}

/** A live session without the sign-in. */
export async function makeSession(db: Database, userUuid: string): Promise<string> {
  const sid = newSid()
  await addSession(db, { uuid: randomUUID(), sidDigest: digestOf(sid), userUuid, idleMinutes: 180, lifeMinutes: 600 })
  return sid
}

/** A study record as if it had arrived whole, with the fields that matter to a test. */
export async function makeStudy(
  db: Database,
  place: { namespaceUuid: string; accountUuid: string },
  fields: { patient_name?: string; must_approve?: boolean; created_by?: string } = {},
): Promise<{ uuid: string; study_uid: string }> {
  const uuid = randomUUID()
  const studyUid = `2.25.${BigInt(`0x${uuid.replaceAll('-', '')}`)}`
  await sql`
    insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, must_approve, arrival,
      created_by, created, updated)
    values (${place.namespaceUuid}, ${uuid}, ${studyUid}, ${place.namespaceUuid}, ${place.accountUuid},
      ${fields.patient_name ?? ''}, ${foldText(fields.patient_name ?? '')}, ${fields.must_approve ?? false}, 'complete',
      ${fields.created_by ?? null}, now(), now())
  `.execute(db)
  await sql`
    insert into study_source (phi_namespace, study_uuid, storage_namespace)
    values (${place.namespaceUuid}, ${uuid}, ${place.namespaceUuid})
  `.execute(db)
  return { uuid, study_uid: studyUid }
}
