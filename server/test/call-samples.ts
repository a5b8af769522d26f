import { randomUUID } from 'node:crypto'
import type { CallName } from '@hilum/contract/calls/all-calls'
import { isRestriction, permissions } from '@hilum/contract/permissions'
import { makeLink } from './make-link.ts'
import { makeStudy, type Person, makeSession } from './make-organisation.ts'
import type { TestApp } from './test-app.ts'

/** Where somebody asks, and what is there to be asked for. */
export interface Place {
  accountUuid: string
  groupUuid: string
  namespaceUuid: string
  studyUuid: string
  /** A study in the asking person's own namespace. */
  ownStudyUuid: string
  person: Person
}
export type Sample = (place: Place) => Record<string, unknown> | Promise<Record<string, unknown>>

const restrictions = permissions.filter(isRestriction)

/** Good requests for every call, made where they are asked. */
export function makeSamples({ services, call, query }: TestApp, shareCode: string): Record<CallName, Sample> {
  const study: Sample = ({ studyUuid }) => ({ uuid: studyUuid })
  const account: Sample = ({ accountUuid }) => ({ account_id: accountUuid })
  const nothing: Sample = () => ({})
  /** A custom field of the account. */
  const field: Sample = async ({ accountUuid }) => {
    const uuid = randomUUID()
    await query(`insert into customfield (uuid, account_uuid, name, object, type)
    values ('${uuid}', '${accountUuid}', 'Walked', 'Study', 'text')`)
    return { uuid }
  }
  const addOrder = async ({ accountUuid }: Place): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid)
      select '${accountUuid}', '${uuid}', n.uuid from account a join namespace n on n.uuid = a.namespace_uuid where a.uuid = '${accountUuid}'`)
    return uuid
  }
  const addJob = async ({ userUuid, namespaceUuid }: Person): Promise<string> => {
    const id = randomUUID()
    await query(
      `insert into job (user_uuid, namespace_uuid, job_id) values ('${userUuid}', '${namespaceUuid}', '${id}')`,
    )
    return id
  }
  const addKeyOf = async ({ userUuid }: Person): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into session (uuid, sid_digest, user_uuid, method, strength, name, scope, idle_minutes, expires_at)
      values ('${uuid}', sha256('${uuid}'), '${userUuid}', 'key', 'key', 'Walked', '{study_view}', 1440, now() + interval '1 day')`)
    return uuid
  }
  /** Work that the asking person asked for, far ahead or given up. */
  const addWork = async ({ person, accountUuid }: Place, state: 'waiting' | 'failed'): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into work (uuid, job, payload, lane, state, run_at, user_uuid, account_uuid)
      values ('${uuid}', 'walked', '{}', '${uuid}', '${state}', now() + interval '1 day', '${person.userUuid}', '${accountUuid}')`)
    return uuid
  }
  /** One more session, so that ending it ends no other test's. */
  const addSession = async ({ userUuid }: Person): Promise<string> => {
    await makeSession(services.db, userUuid)
    const [session] = await query<{ uuid: string }>(
      `select uuid from session where user_uuid = '${userUuid}' order by created desc limit 1`,
    )
    return session?.uuid ?? ''
  }
  const search: Sample = () => ({ name: 'Mine', type: 'Study', configuration: { 'modality.in': ['CT'] } })
  /** A saved search of the asking person. */
  const addSearch = async (place: Place): Promise<string> =>
    (await call('filter/add', { sid: place.person.sid, ...(await search(place)) })).body.uuid

  /** A group that nobody belongs to, of the account; each time the same. */
  const addShareGroup = async ({ accountUuid }: Place): Promise<string> => {
    const [uuid, namespaceUuid] = [randomUUID(), randomUUID()]
    await query(`with made as (
        insert into app_group (uuid, account_uuid, name, namespace_uuid, designation)
        values ('${uuid}', '${accountUuid}', 'Shared with', '${namespaceUuid}', 'CLOUD')
        on conflict do nothing
        returning *
      )
      insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
      select namespace_uuid, 'group', uuid, account_uuid, name from made`)
    const [group] = await query<{ uuid: string }>(
      `select uuid from app_group where account_uuid = '${accountUuid}' and name = 'Shared with'`,
    )
    return group?.uuid ?? ''
  }

  const addLink = async (
    { accountUuid, namespaceUuid, studyUuid, person }: Place,
    more: { secret?: string; passwordIsDob?: boolean } = {},
  ): Promise<string> =>
    makeLink(services.db, {
      accountUuid,
      createdBy: person.userUuid,
      studies: [{ phi_namespace: namespaceUuid, uuid: studyUuid }],
      ...more,
    })
  const link: Sample = async (place) => ({ uuid: await addLink(place) })
  /** The secret in the address of a link that asks for a date of birth. */
  const linkSecret = async (place: Place): Promise<string> => {
    const secret = randomUUID()
    await query(`update study set patient_birth_date = '19800101' where uuid = '${place.studyUuid}'`)
    await addLink(place, { secret, passwordIsDob: true })
    return secret
  }

  /** One that is shared with that person, too. */
  const shareSearch: Sample = async (place) => {
    const shared = { uuid: await addSearch(place), user_id: place.person.userUuid }
    await call('filter/share', { sid: place.person.sid, ...shared })
    return shared
  }

  /** A person of the account in a role that allows nothing and has every restriction: nobody is below. */
  const addMember = async ({ accountUuid }: Place): Promise<{ uuid: string; user_id: string; role_id: string }> => {
    const [user, namespaceUuid] = [randomUUID(), randomUUID()]
    await query(`insert into role (uuid, account_uuid, name, permissions)
      values ('${randomUUID()}', '${accountUuid}', 'Nothing', '{${restrictions.join(',')}}') on conflict do nothing`)
    const [role] = await query<{ uuid: string }>(
      `select uuid from role where account_uuid = '${accountUuid}' and name = 'Nothing'`,
    )
    const email = `${user}@hospital.example`
    await query(`insert into app_user (uuid, email, email_folded, first_name, last_name, password_hash, namespace_uuid)
      values ('${user}', '${email}', '${email}', 'Ada', 'Walked', '', '${namespaceUuid}')`)
    await query(`insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
      values ('${namespaceUuid}', 'user', '${user}', '${accountUuid}', 'Ada Walked')`)
    await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
      values ('${accountUuid}', '${user}', '${role?.uuid}')`)
    return { uuid: accountUuid, user_id: user, role_id: role?.uuid ?? '' }
  }

  /** A good request of each call; a call without one does not compile. */
  const samples: { [Name in CallName]: Sample } = {
    sessionLogin: ({ person }) => ({ login: person.email, password: 'not the right 1' }),
    sessionToken: nothing,
    sessionOauthToken: ({ person }) => ({
      grant_type: 'client_credentials',
      client_id: person.email,
      client_secret: 'not the right 1',
    }),
    sessionKeyAdd: () => ({ name: 'Walked', permissions: ['study_view'] }),
    sessionKeyList: nothing,
    sessionKeyEnd: async ({ person }) => ({ uuid: await addKeyOf(person) }),
    sessionUser: nothing,
    sessionPermissions: ({ person }) => ({ namespace_id: person.namespaceUuid }),
    sessionTtl: nothing,
    sessionLogout: nothing,
    sessionUuid: nothing,
    sessionList: nothing,
    sessionEnd: async ({ person }) => ({ session_id: await addSession(person) }),
    sessionDerive: ({ ownStudyUuid }) => ({ studies: [ownStudyUuid] }),
    userGet: nothing,
    userSet: () => ({ first: 'Ada' }),
    userPasswordLost: ({ person }) => ({ email: person.email }),
    userPasswordReset: () => ({ token: 'made up', password: 'other2026ok' }),
    userPasswordResetCheck: () => ({ token: 'made up' }),
    userEnable: async (place) => ({ uuid: (await addMember(place)).user_id, disable: 1 }),
    userEvent: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
    userEventSet: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, event_share: 1 }),
    userNamespaceList: account,
    accountList: nothing,
    accountGet: ({ accountUuid }) => ({ uuid: accountUuid }),
    roleList: account,
    groupList: account,
    groupGet: ({ groupUuid }) => ({ uuid: groupUuid }),
    namespaceSettings: ({ namespaceUuid }) => ({ uuid: namespaceUuid }),
    namespaceShareCode: () => ({ share_code: shareCode }),
    namespaceEngineFqdn: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
    settingGet: () => ({ key: 'rows' }),
    settingSet: () => ({ key: 'rows', value: '25' }),
    settingGetAll: nothing,
    studyList: nothing,
    studyCount: nothing,
    studyGet: study,
    studyAdd: ({ namespaceUuid }) => ({
      study_uid: `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`,
      storage_namespace: namespaceUuid,
      phi_namespace: namespaceUuid,
    }),
    studySet: ({ studyUuid }) => ({ uuid: studyUuid, unread: 0 }),
    studySync: ({ studyUuid }) => ({ uuid: studyUuid, image_count: 1 }),
    studyUploadCheck: ({ namespaceUuid }) => ({
      namespace_id: namespaceUuid,
      instances: [{ study_uid: '1.2', sop_uid: '1.2.3' }],
    }),
    studyLock: study,
    studyUnlock: study,
    studyStar: ({ studyUuid }) => ({ uuid: studyUuid, star: 1 }),
    studyDelete: async (place) => ({ uuid: (await makeStudy(services.db, place)).uuid }),
    studyRevive: study,
    studyDuplicate: async ({ namespaceUuid, studyUuid, accountUuid }) => {
      const shareUuid = randomUUID()
      const from = await makeStudy(services.db, { namespaceUuid: randomUUID(), accountUuid })
      await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
        select '${shareUuid}', phi_namespace, uuid, 'group', '${randomUUID()}', 'delivered'
        from study where uuid = '${from.uuid}'`)
      await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace, share_uuid)
        select '${namespaceUuid}', '${studyUuid}', phi_namespace, '${shareUuid}' from study where uuid = '${from.uuid}'`)
      return { uuid: studyUuid, namespace_id: namespaceUuid }
    },
    studyShare: async (place) => ({ uuid: place.studyUuid, group_id: await addShareGroup(place) }),
    studyShareStop: async (place) => {
      const shared = { uuid: place.studyUuid, group_id: await addShareGroup(place) }
      for (const [kind, to] of [
        ['group', shared.group_id],
        ['user', place.person.userUuid],
      ]) {
        await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
          values ('${randomUUID()}', '${place.namespaceUuid}', '${place.studyUuid}', '${kind}', '${to}', 'delivered')
          on conflict do nothing`)
      }
      return shared
    },
    studyShareList: study,
    studyShareWho: ({ studyUuid, person }) => ({ uuid: studyUuid, type: 'user', search: person.email }),
    studyShareAccess: study,
    studyAudit: ({ studyUuid }) => ({ uuid: studyUuid, action: 'VIEWER_ACTION', detail: 'Walked' }),
    studyTimingEvent: ({ namespaceUuid }) => ({ study_uid: '1.2', storage_namespace: namespaceUuid, event: 'start' }),
    studyTimingLog: study,
    studyManualRoute: ({ studyUuid }) => ({ uuid: studyUuid, route_id: randomUUID() }),
    studyRelated: study,
    studyConflicts: study,
    studyConflictSettle: ({ studyUuid }) => ({
      uuid: studyUuid,
      sop_uid: '1.2.3',
      series_uid: '1.2',
      version: randomUUID(),
    }),
    studyEditLimits: study,
    studyElsewhere: study,
    studyMrnHolders: study,
    studyUploadPeople: ({ namespaceUuid }) => ({
      namespace_id: namespaceUuid,
      people: [{ patient_name: 'A', patient_birth_date: '', patient_sex: '', patientid: '1', study_uids: [] }],
    }),
    tagList: () => ({ object: 'Study' }),
    tagAdd: ({ studyUuid }) => ({ object: 'Study', object_id: studyUuid, tag: 'Walked' }),
    tagDelete: ({ studyUuid }) => ({ object: 'Study', object_id: studyUuid, tag: 'Walked' }),
    customfieldList: account,
    customfieldGet: field,
    customfieldAdd: ({ accountUuid }) => ({ account_id: accountUuid, name: 'Walked', object: 'Study' }),
    customfieldSet: field,
    customfieldDelete: field,
    customfieldLookup: async (place) => {
      await field(place)
      return { account_id: place.accountUuid, name: 'Walked' }
    },
    orderList: account,
    orderGet: async (place) => ({ uuid: await addOrder(place) }),
    filterList: () => ({ type: 'Study' }),
    filterAdd: search,
    filterGet: async (place) => ({ uuid: await addSearch(place) }),
    filterSet: async (place) => ({ uuid: await addSearch(place), name: 'Walked' }),
    filterDelete: async (place) => ({ uuid: await addSearch(place) }),
    filterShare: async (place) => ({ uuid: await addSearch(place), user_id: place.person.userUuid }),
    filterShareStop: shareSearch,
    filterShareList: shareSearch,
    auditRefused: account,
    auditObject: study,
    linkAdd: ({ studyUuid }) => ({ study_id: studyUuid, action: 'STUDY_VIEW' }),
    linkList: async (place) => {
      await addLink(place)
      return { study_id: place.studyUuid }
    },
    linkGet: link,
    linkSet: async (place) => ({ uuid: await addLink(place), minutes_left: 60 }),
    linkDelete: link,
    linkStatus: async (place) => ({ token: await linkSecret(place) }),
    linkSession: async (place) => ({ token: await linkSecret(place), password: '19800101' }),
    linkStudies: nothing,
    mailOutbox: account,
    accountNotices: account,
    accountUserList: ({ accountUuid }) => ({ uuid: accountUuid }),
    accountUserGet: ({ accountUuid, person }) => ({ uuid: accountUuid, user_id: person.userUuid }),
    accountUserAdd: async (place) => {
      const { uuid, role_id } = await addMember(place)
      return { uuid, role_id, email: `${randomUUID()}@hospital.example`, first: 'Ada', last: 'Walked' }
    },
    accountUserSet: async (place) => ({ ...(await addMember(place)), first: 'Ida' }),
    accountUserDelete: async (place) => {
      const { uuid, user_id } = await addMember(place)
      return { uuid, user_id }
    },
    jobList: nothing,
    jobCancel: async (place) => ({ uuid: await addWork(place, 'waiting') }),
    jobRetry: async (place) => ({ uuid: await addWork(place, 'failed') }),
    jobGet: async ({ person }) => ({ id: await addJob(person) }),
    webhookEvent: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, type: 'STUDY_UPLOAD_START' }),
  }
  return samples
}
