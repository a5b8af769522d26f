import { randomUUID } from 'node:crypto'
import { receiveImage } from '../src/areas/ingest/receive-image.command.ts'
import { madeImage, type MadeImage } from './made-image.ts'
import { makeOrganisation } from './make-organisation.ts'
import type { TestServices } from './test-services.ts'

/** A group with one administrator. */
export interface Place {
  namespace: string
  groupUuid: string
  sid: string
  userUuid: string
}

/** Places whose records show images of each other by shares that nobody had to ask for. */
export async function makeSources({ services, query }: Pick<TestServices, 'services' | 'query'>) {
  const organisation = await makeOrganisation(services.db)
  const { accountUuid } = organisation
  const sendFile = async (place: Place, bytes: Uint8Array): Promise<void> => {
    const arrival = { namespaceUuid: place.namespace, accountUuid, source: 'harvest' as const, quietSeconds: 30 }
    await receiveImage(services, { ...arrival, sourceName: 'SCANNER' }, chunksOf(bytes))
  }
  return {
    organisation,
    accountUuid,
    makePlace: async (): Promise<Place> => {
      const group = await organisation.addGroup()
      const { sid, userUuid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
      return { namespace: group.namespaceUuid, groupUuid: group.groupUuid, sid, userUuid }
    },

    /** An image sent to a place; `from` tells apart what several places hold under one SOP Instance UID. */
    send: async (
      place: Place,
      studyUid: string,
      number: number,
      more: Partial<MadeImage> & { from?: string } = {},
    ): Promise<Uint8Array> => {
      const { from, ...rest } = more
      const comment = from ? [{ tag: 0x00204000, vr: 'LT', value: from } as const] : []
      const bytes = madeImage({ studyUid, number, ...rest, more: [...comment, ...(rest.more ?? [])] })
      await sendFile(place, bytes)
      return bytes
    },
    sendFile,

    /** Gives a place what another stores of a study, by a share; gives the share. */
    share: async (from: Place, to: Place, studyUid: string, state = 'delivered', expires = 'null'): Promise<string> => {
      const uuid = randomUUID()
      await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state, expires_at)
        select '${uuid}', phi_namespace, uuid, 'group', '${randomUUID()}', '${state}', ${expires}
        from study where phi_namespace = '${from.namespace}' and study_uid = '${studyUid}' and deleted_at is null`)
      await query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name,
          patientid, issuer, patient_birth_date, patient_sex, arrival, source, created, updated)
        select '${to.namespace}', gen_random_uuid(), study_uid, storage_namespace, account_uuid, patient_name, patientid,
          issuer, patient_birth_date, patient_sex, 'complete', 'share', now(), now()
        from study where phi_namespace = '${from.namespace}' and study_uid = '${studyUid}' and deleted_at is null
        on conflict do nothing`)
      await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace, generation, share_uuid, added)
        select r.phi_namespace, r.uuid, t.storage_namespace, t.generation, '${uuid}', clock_timestamp()
        from study r
        join stored_study t on t.storage_namespace = '${from.namespace}' and t.study_uid = r.study_uid and t.ended_at is null
        where r.phi_namespace = '${to.namespace}' and r.study_uid = '${studyUid}' and r.deleted_at is null`)
      return uuid
    },

    stop: async (share: string): Promise<void> => {
      await query(`update share set state = 'stopped' where uuid = '${share}'`)
    },

    /** The record of a study in a place. */
    recordOf: async ({ namespace }: Place, studyUid: string): Promise<string> => {
      const [found] = await query<{ uuid: string }>(
        `select uuid from study where phi_namespace = '${namespace}' and study_uid = '${studyUid}' and deleted_at is null`,
      )
      return found?.uuid ?? ''
    },
  }
}

async function* chunksOf(bytes: Uint8Array) {
  yield bytes
}
