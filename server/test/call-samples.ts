import { randomUUID } from 'node:crypto'
import type { CallName } from '@hilum/contract/calls/all-calls'
import { isRestriction, permissions } from '@hilum/contract/permissions'
import { ensureGateFields } from '../src/areas/nomination/gate-fields.sql.ts'
import { makeDestination } from './make-destination.ts'
import { makeLink } from './make-link.ts'
import { goodPassword, makeOrganisation, makeStudy, type Person, makeSession } from './make-organisation.ts'
import { makeSeparation } from './make-separation.ts'
import { makeWaitingReport } from './make-waiting-report.ts'
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
export function makeSamples(
  { services, call, query }: Pick<TestApp, 'services' | 'call' | 'query'>,
  shareCode: string,
): Record<CallName, Sample> {
  const study: Sample = ({ studyUuid }) => ({ uuid: studyUuid })
  const account: Sample = ({ accountUuid }) => ({ account_id: accountUuid })
  const nothing: Sample = () => ({})
  const retainedExam = ({ accountUuid, studyUuid }: Place) => ({
    account_id: accountUuid,
    study_id: studyUuid,
    reason: 'Walked',
  })
  /** A custom field of the account. */
  const field: Sample = async ({ accountUuid }) => {
    const uuid = randomUUID()
    await query(`insert into customfield (uuid, account_uuid, name, object, type)
    values ('${uuid}', '${accountUuid}', 'Walked', 'Study', 'text')`)
    return { uuid }
  }
  /** An order of the account's inbox, or of no group. */
  const addOrder = async ({ accountUuid }: Place, isOfNone = false): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid)
      select '${accountUuid}', '${uuid}', ${isOfNone ? 'null' : 'n.uuid'} from account a join namespace n on n.uuid = a.namespace_uuid where a.uuid = '${accountUuid}'`)
    return uuid
  }
  /** A report by HL7 that waits in the account's inbox. */
  const addReport = async (place: Place): Promise<string> =>
    makeWaitingReport({ query }, await inboxOf(place), { name: '' })
  const inboxOf = async ({ accountUuid }: Place) => {
    const [account] = await query<{ namespace_uuid: string }>(
      `select namespace_uuid from account where uuid = '${accountUuid}'`,
    )
    return { accountUuid, namespaceUuid: account?.namespace_uuid ?? '' }
  }
  const addStep = async (place: Place): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into order_step (account_uuid, order_uuid, uuid)
      values ('${place.accountUuid}', '${await addOrder(place, true)}', '${uuid}')`)
    return uuid
  }
  /** A file of studies that the person had made. */
  const addFile = async ({ accountUuid, person }: Place): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into report (uuid, user_uuid, account_uuid, namespace_uuid, act, name, csv)
      values ('${uuid}', '${person.userUuid}', '${accountUuid}', '${person.namespaceUuid}', 'viewStudy', 'studies', '')`)
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
  const addMail = async (accountUuid: string): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into mail (uuid, account_uuid, recipient, subject, body)
      values ('${uuid}', '${accountUuid}', 'walked@clinic.example', 'Walked', 'Walked')`)
    return uuid
  }
  /** A second factor whose secret nobody knows. */
  const addTwoFactor = async (userUuid: string): Promise<void> => {
    await query(`insert into two_factor (user_uuid, sealed_secret, confirmed_at) values ('${userUuid}', '', now())
      on conflict do nothing`)
  }
  /** One more session, so that ending it ends no other test's. */
  const addSession = async ({ userUuid }: Person): Promise<string> => {
    await makeSession(services.db, userUuid)
    const [session] = await query<{ uuid: string }>(
      `select uuid from session where user_uuid = '${userUuid}' order by created desc limit 1`,
    )
    return session?.uuid ?? ''
  }
  /** A routing rule for the place, that matches every study and does nothing. */
  const rule: Sample = async ({ accountUuid, namespaceUuid, person }) => {
    const uuid = randomUUID()
    await query(`insert into routing_rule (uuid, account_uuid, namespace_uuid, name, sequence, flags, saved_by)
      values ('${uuid}', '${accountUuid}', '${namespaceUuid}', 'Walked', 1, '{on_manual_route}', '${person.userUuid}')`)
    return { uuid }
  }
  /** A run of such a rule that failed on a study of its own. */
  const failedRun = async (place: Place) => {
    const { uuid } = (await rule(place)) as { uuid: string }
    const [run, study] = [randomUUID(), (await makeStudy(services.db, place)).uuid]
    await query(`insert into route_run (uuid, rule_uuid, account_uuid, phi_namespace, study_uuid, trigger, occasion, state)
      values ('${run}', '${uuid}', '${place.accountUuid}', '${place.namespaceUuid}', '${study}', 'manual', 'first',
        'failed')`)
    return { uuid, run_id: run }
  }
  const webhook: Sample = async ({ accountUuid }) => {
    const uuid = randomUUID()
    await query(`insert into webhook (uuid, account_uuid, name, event, url, method, suspended, sealed_secret)
      values ('${uuid}', '${accountUuid}', 'Walked', 'ROUTE_RULE', 'https://hooks.example.org/', 'POST_JSON', true, '')`)
    return { uuid }
  }
  /** A provider of identities that no request reaches, the only one of the account of the asking person. */
  const addProvider = async ({ person }: Place): Promise<string> => {
    const uuid = randomUUID()
    const [account] = await query<{ uuid: string }>(
      `select account_uuid as uuid from account_user where user_uuid = '${person.userUuid}' limit 1`,
    )
    const accountUuid = account?.uuid ?? ''
    await query(`delete from identity_provider where account_uuid = '${accountUuid}'`)
    await query(`insert into identity_provider (uuid, account_uuid, is_on, button, issuer, client_id, sealed_secret, scopes,
        email_claim, first_claim, last_claim, groups_claim, domains, creates_people, sso_only, trusts_second_factor, acr_values)
      values ('${uuid}', '${accountUuid}', true, 'Walked', 'http://127.0.0.1:1', 'hilum', '\\x00', 'openid', 'email', '', '',
        '', '{}', false, false, false, '')`)
    await query(`delete from user_identity where user_uuid = '${person.userUuid}'`)
    await query(`insert into user_identity (provider, subject, user_uuid)
      values ('http://127.0.0.1:1', '${randomUUID()}', '${person.userUuid}')`)
    return uuid
  }
  const search: Sample = () => ({ name: 'Mine', type: 'Study', configuration: { 'modality.in': ['CT'] } })
  /** A saved search of the asking person. */
  const addSearch = async (place: Place): Promise<string> =>
    (await call('filter/add', { sid: place.person.sid, ...(await search(place)) })).body.uuid

  /** A share by which the study of the place came there, or by which images wait for approval beside it. */
  const addReceived = async ({ namespaceUuid, studyUuid, accountUuid }: Place, isWaiting = false): Promise<void> => {
    const shareUuid = randomUUID()
    const from = await makeStudy(services.db, { namespaceUuid: randomUUID(), accountUuid })
    await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state, awaits_approval)
      select '${shareUuid}', phi_namespace, uuid, 'group', '${randomUUID()}', 'delivered', ${isWaiting}
      from study where uuid = '${from.uuid}'`)
    await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace, share_uuid)
      select '${namespaceUuid}', '${studyUuid}', phi_namespace, '${shareUuid}' from study where uuid = '${from.uuid}'`)
    await query(`update study set has_waiting_shares = ${isWaiting} where uuid = '${studyUuid}'`)
  }
  /** A nominated study that is to go to a destination. */
  const addNomination = async (place: Place): Promise<string> => {
    const { uuid } = await makeStudy(services.db, place)
    await addReceived({ ...place, studyUuid: uuid })
    const fields = await ensureGateFields(services.db, place.accountUuid)
    const to = await makeDestination({ query }, place.accountUuid)
    await query(
      `update study set customfields = '{"${fields['push_destination']}": "${to.uuid}"}' where uuid = '${uuid}'`,
    )
    await query(`insert into nomination (uuid, account_uuid, from_namespace, study_uuid, group_uuid, group_name,
        gate_namespace, gate_uuid, share_uuid, state, submitted_by)
      select '${randomUUID()}', '${place.accountUuid}', h.from_namespace, h.study_uuid, '${place.groupUuid}', 'Walked',
        '${place.namespaceUuid}', '${uuid}', h.uuid, 'nominated', '${place.person.userUuid}'
      from study_source o join share h on h.uuid = o.share_uuid where o.study_uuid = '${uuid}'`)
    return uuid
  }
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
    more: { secret?: string; passwordIsDob?: boolean; email?: string; pinAuth?: boolean } = {},
  ): Promise<string> =>
    makeLink(services.db, {
      accountUuid,
      createdBy: person.userUuid,
      studies: [{ phi_namespace: namespaceUuid, uuid: studyUuid }],
      ...more,
    })
  /** Another account, without people. Gives its name. */
  const addAccount = async (): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into account (uuid, name, namespace_uuid, issuer)
      values ('${uuid}', 'Walked ${uuid}', '${randomUUID()}', 'WALKED')`)
    return `Walked ${uuid}`
  }
  /** A connection that another account asks for. */
  const connection: Sample = async ({ accountUuid }) => {
    const uuid = randomUUID()
    const name = await addAccount()
    await query(`insert into account_connection (uuid, asking_account, asked_account)
      select '${uuid}', a.uuid, '${accountUuid}' from account a where a.name = '${name}'`)
    return { account_id: accountUuid, uuid }
  }
  /** An account that asked for a connection. */
  const canShare: Sample = async (place) => {
    const { account_id, uuid } = await connection(place)
    const [row] = await query<{ uuid: string }>(
      `select asking_account as uuid from account_connection where uuid = '${uuid}'`,
    )
    return { account_id, by_type: 'account', by_id: account_id, with_type: 'account', with_id: row?.uuid }
  }
  const destination: Sample = async ({ accountUuid }) => ({
    uuid: (await makeDestination({ query }, accountUuid)).uuid,
  })
  /** A node of the account that no destination uses; titles of earlier samples make room. */
  const node: Sample = async ({ accountUuid }) => {
    const uuid = randomUUID()
    await query(`update node set aetitle = left(uuid::text, 16) where aetitle in ('WALKED', 'WALKED_2')`)
    await query(`insert into node (uuid, account_uuid, name, type, aetitle)
      values ('${uuid}', '${accountUuid}', 'Walked', 'VIRTUAL', 'WALKED_2')`)
    return { uuid }
  }
  /** A search of the asking person that was answered with one study. */
  const addDestinationSearch = async (
    { accountUuid, namespaceUuid, person }: Place,
    isWorklist = false,
  ): Promise<string> => {
    const peer = await makeDestination({ query }, accountUuid)
    const uuid = randomUUID()
    await query(`insert into destination_search (uuid, account_uuid, destination_uuid, user_uuid, phi_namespace, criteria,
        state, worklist, results, orders)
      values ('${uuid}', '${accountUuid}', '${peer.uuid}', '${person.userUuid}', '${namespaceUuid}', '{}', 'done',
        ${isWorklist}, '[{"study_uid": "1.2.3", "patient_name": "FOUND^ADA"}]',
        '[{"patientid": "M1", "patient_name": "FOUND^ADA", "patient_sex": "F", "issuer": "", "referring_physician": "", "study_uid": ""}]')`)
    return uuid
  }
  const link: Sample = async (place) => ({ uuid: await addLink(place) })
  /** The secret in the address of a link that asks for a date of birth. */
  const linkSecret = async (place: Place): Promise<string> => {
    const secret = randomUUID()
    await query(`update study set patient_birth_date = '19800101' where uuid = '${place.studyUuid}'`)
    await addLink(place, { secret, passwordIsDob: true })
    return secret
  }
  /** The secret in the address of a link that asks for a mailed code. */
  const pinLinkSecret = async (place: Place): Promise<string> => {
    const secret = randomUUID()
    await addLink(place, { secret, email: 'walked@clinic.example', pinAuth: true })
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

  /** A role that gives nothing and has every restriction: everybody holds as much. */
  const withoutRights = Object.fromEntries(restrictions.map((name) => [name, 1]))
  const addEmptyRole = async ({ accountUuid }: Place): Promise<string> => {
    const uuid = randomUUID()
    await query(`insert into role (uuid, account_uuid, name, permissions)
      values ('${uuid}', '${accountUuid}', 'Walked ${uuid}', '{${restrictions.join(',')}}')`)
    return uuid
  }
  /** A group or location to which the asking person belongs if to the one of the place. */
  const addPlace = async ({ accountUuid, groupUuid, person }: Place, kind: 'group' | 'location'): Promise<string> => {
    const [uuid, namespaceUuid] = [randomUUID(), randomUUID()]
    await query(`insert into app_group (uuid, kind, account_uuid, name, namespace_uuid, designation)
      values ('${uuid}', '${kind}', '${accountUuid}', 'Walked ${uuid}', '${namespaceUuid}', 'CLOUD')`)
    await query(`insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
      values ('${namespaceUuid}', '${kind}', '${uuid}', '${accountUuid}', 'Walked ${uuid}')`)
    await query(`insert into group_user (group_uuid, user_uuid)
      select '${uuid}', user_uuid from group_user
      where group_uuid = '${groupUuid}' and user_uuid = '${person.userUuid}'`)
    return uuid
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
    sessionDeviceList: nothing,
    sessionDeviceForget: async ({ person }) => {
      const uuid = randomUUID()
      await query(`insert into remembered_device (uuid, digest, user_uuid, client_address, user_agent, expires_at)
        values ('${uuid}', decode(md5('${uuid}'), 'hex'), '${person.userUuid}', '', '', now() + interval '1 day')`)
      return { device_id: uuid }
    },
    sessionPin: () => ({ pin: '000000' }),
    sessionPinBegin: nothing,
    sessionPinConfirm: () => ({ pin: '000000' }),
    sessionPinState: nothing,
    sessionPinCodes: nothing,
    sessionPinRemove: nothing,
    sessionProve: async ({ person }) => {
      await query(`delete from two_factor where user_uuid = '${person.userUuid}'`)
      return { password: goodPassword }
    },
    userPinReset: async (place) => {
      const uuid = (await addMember(place)).user_id
      await addTwoFactor(uuid)
      return { uuid }
    },
    userGet: nothing,
    userSet: () => ({ first: 'Ada' }),
    userPasswordLost: ({ person }) => ({ email: person.email }),
    userPasswordReset: () => ({ token: 'made up', password: 'other2026ok' }),
    userPasswordResetCheck: () => ({ token: 'made up' }),
    userEnable: async (place) => ({ uuid: (await addMember(place)).user_id, disable: 1 }),
    userAdd: ({ accountUuid }) => ({
      account_id: accountUuid,
      first: 'Ada',
      last: 'Walked',
      password: 'cobalt93willow',
      email: `${randomUUID()}@hospital.example`,
    }),
    userInvite: async (place) => {
      const { uuid, role_id } = await addMember(place)
      return { account_id: uuid, role_id, email: `${randomUUID()}@hospital.example` }
    },
    userWelcome: async (place) => {
      const { uuid, user_id } = await addMember(place)
      return { account_id: uuid, email: `${user_id}@hospital.example` }
    },
    // nobody of the walk goes
    userDelete: () => ({ email: 'nobody@hospital.example' }),
    userDeviceClear: nothing,
    userEvent: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
    userEventSet: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, event_share: 1 }),
    userNamespaceList: account,
    accountList: nothing,
    accountAdd: () => ({ name: `Added ${randomUUID()}`, issuer: 'ADDED' }),
    systemAccountList: nothing,
    systemAccountClosed: nothing,
    systemAccountAudit: async () => {
      const closed = randomUUID()
      await query(`insert into account (uuid, name, issuer, namespace_uuid, closed_at)
        values ('${closed}', 'Closed ${closed}', 'CLOSED', gen_random_uuid(), now())`)
      return { account_id: closed }
    },
    systemAccountUsers: account,
    systemUserList: nothing,
    systemUserSet: async (place) => ({
      email: `${(await addMember(place)).user_id}@hospital.example`,
      support: 1,
    }),
    sessionProxy: async (place) => ({
      account_id: place.accountUuid,
      user_id: (await addMember(place)).user_id,
      reason: 'Walked',
    }),
    accountSet: ({ accountUuid }) => ({ uuid: accountUuid, session_expire: 60 }),
    accountDelete: async ({ person }) => {
      // an empty account that the asking person administers, beside the one of the walk
      const { accountUuid, roles } = await makeOrganisation(services.db)
      await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
        values ('${accountUuid}', '${person.userUuid}', '${roles.get('Administrator')}')`)
      return { uuid: accountUuid }
    },
    accountSettings: async ({ accountUuid }) => {
      const vanity = `walked.${accountUuid}.example`
      await query(`update account set vanity = '${vanity}' where uuid = '${accountUuid}'`)
      return { vanity }
    },
    accountSettingsValidate: ({ accountUuid }) => ({ uuid: accountUuid, setting_help_address: 'help@clinic.example' }),
    accountGet: ({ accountUuid }) => ({ uuid: accountUuid }),
    accountConnectList: account,
    accountCanShare: canShare,
    accountCanShareStop: canShare,
    accountCanShareList: account,
    accountConnectAsk: async ({ accountUuid }) => ({ account_id: accountUuid, account_name: await addAccount() }),
    accountConnectAccept: connection,
    accountConnectEnd: connection,
    accountConnectDefaults: account,
    roleList: account,
    roleReportDetail: account,
    studyReportDetail: account,
    accountUserReportLogin: ({ accountUuid }) => ({ uuid: accountUuid }),
    roleGet: async (place) => ({ uuid: await addEmptyRole(place) }),
    roleAdd: ({ accountUuid }) => ({
      account_id: accountUuid,
      name: `Walked ${randomUUID()}`,
      permissions: withoutRights,
    }),
    roleSet: async (place) => ({ uuid: await addEmptyRole(place), description: 'Walked' }),
    roleSettings: async (place) => ({ uuid: await addEmptyRole(place) }),
    roleDelete: async (place) => ({ uuid: await addEmptyRole(place) }),
    roleUserList: async (place) => ({ uuid: await addEmptyRole(place) }),
    roleDefaultPermissions: nothing,
    groupList: account,
    groupGet: ({ groupUuid }) => ({ uuid: groupUuid }),
    groupAdd: ({ accountUuid }) => ({ account_id: accountUuid, name: `Walked ${randomUUID()}` }),
    groupSet: async (place) => ({ uuid: await addPlace(place, 'group') }),
    groupDelete: async (place) => ({ uuid: await addPlace(place, 'group') }),
    groupUserList: async (place) => ({ uuid: await addPlace(place, 'group') }),
    groupUserAdd: async (place) => {
      const { user_id } = await addMember(place)
      return { uuid: await addPlace(place, 'group'), user_id }
    },
    groupUserDelete: async (place) => {
      const [{ user_id }, uuid] = [await addMember(place), await addPlace(place, 'group')]
      await query(`insert into group_user (group_uuid, user_uuid) values ('${uuid}', '${user_id}')`)
      return { uuid, user_id }
    },
    locationList: account,
    locationGet: async (place) => ({ uuid: await addPlace(place, 'location') }),
    locationAdd: ({ accountUuid }) => ({ account_id: accountUuid, name: `Walked ${randomUUID()}` }),
    locationSet: async (place) => ({ uuid: await addPlace(place, 'location') }),
    locationDelete: async (place) => ({ uuid: await addPlace(place, 'location') }),
    locationUserList: async (place) => ({ uuid: await addPlace(place, 'location') }),
    locationUserAdd: async (place) => {
      const { user_id } = await addMember(place)
      return { uuid: await addPlace(place, 'location'), user_id }
    },
    locationUserDelete: async (place) => {
      const [{ user_id }, uuid] = [await addMember(place), await addPlace(place, 'location')]
      await query(`insert into group_user (group_uuid, user_uuid) values ('${uuid}', '${user_id}')`)
      return { uuid, user_id }
    },
    namespaceSettings: ({ namespaceUuid }) => ({ uuid: namespaceUuid }),
    namespaceShareCode: () => ({ share_code: shareCode }),
    namespaceShareCodeOpen: async () => {
      await query(`
        update app_group
        set share_settings = json_build_object('takes_uploads', 1, 'takes_uploads_by', (select min(uuid::text) from app_user))
        where share_code = '${shareCode}'`)
      return { share_code: shareCode }
    },
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
    studyDeletePeople: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
    studyRevive: study,
    studyApprove: study,
    // of what waits beside an approved study, which everybody finds
    studyReject: async (place) => {
      await addReceived(place, true)
      return { uuid: place.studyUuid }
    },
    studyRetract: async (place) => ({ uuid: (await makeStudy(services.db, place)).uuid, reason: 'Wrong patient' }),
    studyUploadRetracted: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, study_uids: ['1.2.3'] }),
    studyDeidentifyPreview: ({ studyUuid }) => ({ uuid: studyUuid, recipient: 'Trial', dates: 'MOVED' }),
    studyDeidentifyAdd: ({ studyUuid }) => ({ uuid: studyUuid, recipient: 'Trial', dates: 'MOVED', digest: 'walked' }),
    studyDeidentifyList: study,
    studyDeidentifyKey: ({ studyUuid }) => ({ uuid: studyUuid, recipient: 'Trial' }),
    studyDuplicate: async (place) => {
      await addReceived(place)
      return { uuid: place.studyUuid, namespace_id: place.namespaceUuid }
    },
    studyShare: async (place) => ({ uuid: place.studyUuid, group_id: await addShareGroup(place) }),
    studyShareStop: async (place) => {
      const shared = { uuid: place.studyUuid, group_id: await addShareGroup(place) }
      for (const [kind, to] of [
        ['group', shared.group_id],
        ['user', place.person.userUuid],
        ['account', place.accountUuid],
      ]) {
        await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
          values ('${randomUUID()}', '${place.namespaceUuid}', '${place.studyUuid}', '${kind}', '${to}', 'delivered')
          on conflict do nothing`)
      }
      return shared
    },
    studyShareExtend: async (place) => {
      const group_id = await addShareGroup(place)
      for (const [kind, to] of [
        ['group', group_id],
        ['user', place.person.userUuid],
        ['account', place.accountUuid],
      ]) {
        await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state, minutes, expires_at)
          values ('${randomUUID()}', '${place.namespaceUuid}', '${place.studyUuid}', '${kind}', '${to}', 'delivered', 60,
            now() + interval '1 hour')
          on conflict (study_uuid, to_kind, to_uuid) where state in ('scheduled', 'delivered') and goes_with is null
          do update set minutes = excluded.minutes, expires_at = excluded.expires_at`)
      }
      return { uuid: place.studyUuid, group_id, minutes_left: 120 }
    },
    studyShareList: study,
    studyShareWho: ({ studyUuid, person }) => ({ uuid: studyUuid, type: 'user', search: person.email }),
    studyShareAccess: study,
    studyShareTrack: study,
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
    studyPatients: study,
    studyRequests: study,
    studyMergePreview: ({ studyUuid }) => ({ uuid: studyUuid, secondary_uuid: studyUuid }),
    studyMerge: ({ studyUuid }) => ({ uuid: studyUuid, secondary_uuid: studyUuid, digest: 'walked' }),
    studySplitPreview: ({ studyUuid }) => ({ uuid: studyUuid, image_uids: ['1.2.3'] }),
    studySplit: ({ studyUuid }) => ({ uuid: studyUuid, image_uids: ['1.2.3'], digest: 'walked' }),
    studySplitList: study,
    studySplitUndo: async (place) => ({
      uuid: place.studyUuid,
      separation_id: await makeSeparation({ query }, place.studyUuid, place.person.userUuid),
    }),
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
    customfieldUsage: field,
    customfieldLookup: async (place) => {
      await field(place)
      return { account_id: place.accountUuid, name: 'Walked' }
    },
    orderList: account,
    orderGet: async (place) => ({ uuid: await addOrder(place) }),
    orderHistory: async (place) => ({ uuid: await addOrder(place) }),
    orderAdd: ({ accountUuid }) => ({ account_id: accountUuid, patientid: 'M1' }),
    orderSet: async (place) => ({ uuid: await addOrder(place, true), patientid: 'M2' }),
    orderDelete: async (place) => ({ uuid: await addOrder(place, true) }),
    orderCancel: async (place) => ({ uuid: await addOrder(place, true) }),
    orderTake: async (place) => ({ destination_search_id: await addDestinationSearch(place, true), item: 0 }),
    orderReportList: account,
    orderReportGet: async (place) => ({ uuid: await addReport(place) }),
    orderReportAttach: async (place) => {
      const { groupUuid, person } = place
      const own = await query(
        `select from group_user where group_uuid = '${groupUuid}' and user_uuid = '${person.userUuid}'`,
      )
      // the group where the person belongs to it, and otherwise the account's inbox
      const at = own.length > 0 ? place : await inboxOf(place)
      const patientid = randomUUID()
      const uuid = await makeWaitingReport({ query }, at, { patientid, name: '' })
      const { uuid: study_id } = await makeStudy(services.db, at)
      await query(`update study set patientid = '${patientid}' where uuid = '${study_id}'`)
      return { uuid, study_id }
    },
    orderReportDelete: async (place) => ({ uuid: await addReport(place) }),
    orderSpsFind: account,
    orderSpsAdd: async (place) => ({ order_id: await addOrder(place, true), modality: 'CT' }),
    orderSpsSet: async (place) => ({ uuid: await addStep(place), modality: 'MR' }),
    orderSpsDelete: async (place) => ({ uuid: await addStep(place) }),
    orderSpsStatus: async (place) => ({ uuid: await addStep(place), mpps_status: 'COMPLETED' }),
    filterList: () => ({ type: 'Study' }),
    filterAdd: search,
    filterGet: async (place) => ({ uuid: await addSearch(place) }),
    filterSet: async (place) => ({ uuid: await addSearch(place), name: 'Walked' }),
    filterDelete: async (place) => ({ uuid: await addSearch(place) }),
    filterShare: async (place) => ({ uuid: await addSearch(place), user_id: place.person.userUuid }),
    filterShareStop: shareSearch,
    filterShareList: shareSearch,
    auditAccount: account,
    auditUser: ({ accountUuid, person }) => ({ account_id: accountUuid, user_id: person.userUuid }),
    auditDeleted: ({ accountUuid }) => ({ account_id: accountUuid, type: 'Group' }),
    auditCheck: account,
    auditCheckGet: account,
    auditPatient: (place) => ({ account_id: place.accountUuid, patientid: 'Walked' }),
    auditRefused: account,
    auditObject: study,
    nodeList: account,
    nodeCalled: account,
    nodeGet: node,
    nodeAdd: async (place) => {
      await node(place)
      return { account_id: place.accountUuid, name: 'Walked', aetitle: 'WALKED' }
    },
    nodeSet: node,
    nodeDelete: node,
    destinationList: account,
    destinationGet: destination,
    destinationAdd: async (place) => {
      await destination(place) // with the node of the account
      await query(
        `update destination set deleted_at = now() where aetitle in ('WALKED', 'WALKED_2') and deleted_at is null`,
      )
      return { account_id: place.accountUuid, name: 'Walked', aetitle: 'WALKED', address: '127.0.0.1', port: 1 }
    },
    destinationSet: destination,
    destinationDelete: destination,
    destinationTest: destination,
    destinationSearch: async (place) => ({
      ...(await destination(place)),
      copy_to: place.namespaceUuid,
      patient_name: 'Walked',
    }),
    destinationSearchGet: async (place) => ({ uuid: await addDestinationSearch(place) }),
    destinationRetrieve: async (place) => ({
      destination_search_id: await addDestinationSearch(place),
      study_uid: '1.2.3',
    }),
    studyPush: async (place) => ({
      uuid: place.studyUuid,
      destination_id: (await makeDestination({ query }, place.accountUuid)).uuid,
    }),
    studyPushConfirm: async (place) => ({ uuid: await addNomination(place) }),
    studyNominateForm: study,
    outsideList: account,
    outsideEnd: async (place) => ({ account_id: place.accountUuid, link_id: await addLink(place) }),
    retentionGet: account,
    retentionSet: ({ accountUuid }) => ({ account_id: accountUuid, retention_days: '0' }),
    retentionKept: account,
    retentionBin: account,
    retentionPurged: account,
    retentionPatient: ({ accountUuid }) => ({ account_id: accountUuid, patientid: 'Walked' }),
    retentionHold: retainedExam,
    retentionRelease: async (place) => {
      await query(`update study set hold = true, hold_reason = 'Walked' where uuid = '${place.studyUuid}'`)
      return retainedExam(place)
    },
    retentionDate: (place) => ({ ...retainedExam(place), retain_until: '2399-12-31' }),
    linkAdd: ({ studyUuid }) => ({ study_id: studyUuid, action: 'STUDY_VIEW' }),
    linkList: async (place) => {
      await addLink(place)
      return { study_id: place.studyUuid }
    },
    linkGet: link,
    linkPriors: async (place) => ({ study_id: place.studyUuid }),
    linkSet: async (place) => ({ uuid: await addLink(place), minutes_left: 60 }),
    linkMail: async (place) => ({ uuid: await addLink(place), email: 'walked@clinic.example' }),
    linkDelete: link,
    linkStatus: async (place) => ({ token: await linkSecret(place) }),
    linkPinSend: async (place) => ({ token: await pinLinkSecret(place) }),
    linkSession: async (place) => ({ token: await linkSecret(place), password: '19800101' }),
    linkStudies: nothing,
    linkBrand: nothing,
    linkRequest: nothing,
    linkUploadBegin: () => ({ studies: [{ study_uid: '2.25.1', image_count: 1 }] }),
    linkUploadCheck: () => ({ images: [] }),
    linkUploadEnd: () => ({ study_uid: '2.25.1' }),
    mailCancel: async ({ accountUuid }) => ({ account_id: accountUuid, uuid: await addMail(accountUuid) }),
    mailOutbox: account,
    mailRetry: async ({ accountUuid }) => {
      const uuid = await addMail(accountUuid)
      await query(`update mail set given_up = true, returned_at = now() where uuid = '${uuid}'`)
      return { account_id: accountUuid, uuid }
    },
    mailTest: account,
    accountNotices: account,
    accountStuck: account,
    accountStuckRetry: async ({ accountUuid }) => {
      await query(`insert into work (uuid, job, payload, lane, by_clock, run_at, error)
        values (gen_random_uuid(), 'purge', '{}', 'purge', true, now() + interval '1 day', 'FAILED')
        on conflict (job) where by_clock do update set error = 'FAILED', state = 'waiting'`)
      return { account_id: accountUuid, job: 'purge' }
    },
    accountStuckDismiss: async (place) => {
      const { uuid } = await destination(place)
      await query(`insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, status)
        values ('${place.namespaceUuid}', '${place.studyUuid}', '${uuid}', gen_random_uuid(), '${place.accountUuid}', 'Walked', 'F')`)
      return { account_id: place.accountUuid, destination_id: uuid, rule_id: (await failedRun(place)).uuid }
    },
    accountFirstSteps: account,
    accountIssuers: account,
    accountTexts: account,
    accountTextsSet: ({ accountUuid }) => ({ account_id: accountUuid, kind: 'terms', text: 'Walked' }),
    accountTextsVersions: account,
    accountUserList: ({ accountUuid }) => ({ uuid: accountUuid }),
    accountUserGet: ({ accountUuid, person }) => ({ uuid: accountUuid, user_id: person.userUuid }),
    accountUserAdd: async (place) => {
      const { uuid, role_id } = await addMember(place)
      return { uuid, role_id, email: `${randomUUID()}@hospital.example`, first: 'Ada', last: 'Walked' }
    },
    accountUserSet: async (place) => ({ ...(await addMember(place)), first: 'Ida' }),
    accountUserHoldings: async (place) => {
      const { uuid, user_id } = await addMember(place)
      return { uuid, user_id }
    },
    accountUserLeavers: ({ accountUuid }) => ({ uuid: accountUuid }),
    accountUserHandOver: async (place) => {
      const { uuid, user_id } = await addMember(place)
      await query(`update account_user set disabled = true where user_uuid = '${user_id}'`)
      await query(`insert into saved_search (uuid, name, type, configuration, owner_uuid, account_uuid)
        values ('${randomUUID()}', 'Left behind', 'Study', '{}', '${user_id}', '${uuid}')`)
      return { uuid, user_id, kind: 'searches', to_user_id: place.person.userUuid }
    },
    accountUserDelete: async (place) => {
      const { uuid, user_id } = await addMember(place)
      return { uuid, user_id }
    },
    jobList: nothing,
    jobCancel: async (place) => ({ uuid: await addWork(place, 'waiting') }),
    jobRetry: async (place) => ({ uuid: await addWork(place, 'failed') }),
    reportStatus: async (place) => ({ report_id: await addFile(place) }),
    jobGet: async ({ person }) => ({ id: await addJob(person) }),
    routeList: account,
    routeGet: rule,
    routeAdd: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, name: 'Walked' }),
    routeSet: rule,
    routeDelete: rule,
    routeMove: async (place) => ({ ...(await rule(place)), sequence: 1 }),
    routeRuns: rule,
    routeRunAgain: failedRun,
    routeRunsAgain: async (place) => ({ uuid: (await failedRun(place)).uuid }),
    routeTest: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
    routeTargets: account,
    identityProviderGet: async (place) => {
      await addProvider(place)
      return { account_id: place.accountUuid }
    },
    identityProviderSet: async (place) => {
      await addProvider(place)
      return { account_id: place.accountUuid, button: 'Walked again' }
    },
    identityProviderDelete: async (place) => {
      await addProvider(place)
      return { account_id: place.accountUuid }
    },
    identityProviderTest: async (place) => {
      await addProvider(place)
      return { account_id: place.accountUuid }
    },
    identityOffer: async (place) => ({ provider: await addProvider(place) }),
    identityBegin: async (place) => ({ provider: await addProvider(place) }),
    identityLinkBegin: async (place) => ({ provider: await addProvider(place), purpose: 'link' }),
    identityFinish: () => ({ state: 'walked' }),
    identityList: async (place) => {
      await addProvider(place)
      return {}
    },
    identityEnd: async (place) => ({ provider: await addProvider(place) }),
    webhookList: account,
    webhookGet: webhook,
    webhookAdd: ({ accountUuid }) => ({
      account_id: accountUuid,
      name: 'Walked',
      event: 'ROUTE_RULE',
      url: 'https://hooks.example.org/',
      method: 'POST_JSON',
    }),
    webhookSet: webhook,
    webhookDelete: webhook,
    webhookTest: webhook,
    webhookTrigger: async (place) => ({ ...(await webhook(place)), study_id: place.ownStudyUuid }),
    webhookDeliveries: webhook,
    webhookTryAgain: async (place) => {
      const { uuid } = await webhook(place)
      const delivery = randomUUID()
      await query(`insert into webhook_delivery (uuid, webhook_uuid, event, state)
        values ('${delivery}', '${uuid}', 'TEST', 'failed')`)
      return { uuid, delivery_id: delivery }
    },
    webhookEvent: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, type: 'STUDY_UPLOAD_START' }),
  }
  return samples
}
