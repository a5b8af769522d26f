import type { Services } from '../src/services.ts'
import { makeOrganisation, makeStudy, type Organisation, type Person } from './make-organisation.ts'
import type { TestApp } from './test-app.ts'

/** Words of a call that did what it was asked for. */
export const done = { status: 'OK' }

interface Listed {
  uuid: string
  study_uid: string
  source: string
  has_direct_shares: number
  share_message?: string
  arrival: string
}

/** An organisation whose groups have a study each, and ways to share and to look what came of it. */
export async function makeSharing({ services, call }: { services: Services; call: TestApp['call'] }) {
  const organisation: Organisation = await makeOrganisation(services.db)
  const { accountUuid } = organisation
  const listed = async (sid: string, filter: object = {}): Promise<Listed[]> =>
    (await call('study/list', { sid, ...filter })).body.studies
  return {
    organisation,
    accountUuid,
    listed,
    makePlace: async (role = 'Staff') => {
      const group = await organisation.addGroup()
      const person = await organisation.addPerson({ role, groups: [group] })
      const study = await makeStudy(services.db, { ...group, accountUuid }, { patient_name: 'DOE^JANE' })
      return { group, person, sid: person.sid, study, uuid: study.uuid }
    },
    /** The answer without the share in force. */
    share: async (sid: string, sent: object) => {
      const { share: _, ...rest } = (await call('study/share', { sid, ...sent })).body
      return rest
    },
    stop: async (sid: string, sent: object) => (await call('study/share/stop', { sid, ...sent })).body,
    /** The study of this UID that a person sees. */
    received: async ({ sid }: Pick<Person, 'sid'>, studyUid: string) =>
      (await listed(sid)).find((one) => one.study_uid === studyUid),
    accessOf: async (sid: string, uuid: string) => (await call('study/share/access', { sid, uuid })).body,
  }
}
