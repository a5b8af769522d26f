import { type RawBuilder, sql } from 'kysely'

/** Rows that an installation held before a step of its schema, and holds after it. */
export interface OldData {
  /** The step before, by its name. */
  from: string
  step: string
  before: RawBuilder<unknown>[]
  question: RawBuilder<unknown>
  answer: Record<string, unknown>[]
}

/** A uuid that is told from others by its number. */
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const [northside, other, role] = [id(1), id(3), id(5)]
const [gate, library] = [id(10), id(12)]
const [administrator, older, younger] = [id(21), id(23), id(25)]
const [live, deleted, elsewhere] = [id(31), id(32), id(33)]

/** Every step that changes rows, in their order: what one leaves goes through all that follow. */
export const oldData: OldData[] = [
  {
    from: '0002-mail-tries',
    step: '0003-tags',
    before: [
      sql`insert into account (uuid, name, namespace_uuid, issuer)
        values (${northside}, 'Northside Imaging', ${id(2)}, 'NORTHSIDE'), (${other}, 'Elsewhere', ${id(4)}, 'ELSEWHERE')`,
      sql`insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
        values (${gate}, 'group', ${id(11)}, ${northside}, 'Gate'), (${library}, 'group', ${id(13)}, ${other}, 'Library')`,
      sql`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, tags, arrival, deleted_at, created, updated)
        values
          (${gate}, ${live}, '1.1', ${gate}, ${northside}, 'ŁUKASIEWICZ^ANNA', 'łukasiewicz^anna', '{Urgent,Chest}', 'complete', null, '2024-01-01', '2024-01-02'),
          (${gate}, ${deleted}, '1.2', ${gate}, ${northside}, 'DOE^JANE', 'doe^jane', '{Chest}', 'complete', '2024-05-05T00:00:00Z', '2024-01-01', '2024-01-02'),
          (${library}, ${elsewhere}, '1.3', ${library}, ${other}, 'ROE^JIM', 'roe^jim', '{}', 'announced', null, '2024-01-01', '2024-01-02')`,
    ],
    question: sql`select phi_namespace, tag from tag_word order by phi_namespace, tag`,
    answer: [
      { phi_namespace: gate, tag: 'Chest' },
      { phi_namespace: gate, tag: 'Urgent' },
    ],
  },
  {
    from: '0011-search-shares',
    step: '0012-folded-names',
    before: [],
    question: sql`select search from study order by uuid`,
    answer: [{ search: 'lukasiewicz^anna' }, { search: 'doe^jane' }, { search: 'roe^jim' }],
  },
  {
    from: '0014-jobs',
    step: '0015-sealed-mails',
    before: [
      sql`insert into role (uuid, account_uuid, name, permissions) values (${role}, ${northside}, 'Reader', '{}')`,
      sql`insert into app_user (uuid, email, password_hash, password_set_at, namespace_uuid)
        values
          (${administrator}, 'administrator@northside.example', 'x', '2023-01-01', ${id(20)}),
          (${older}, 'Ann@one.example', 'x', '2023-01-02', ${id(22)}),
          (${younger}, 'ｱnn@one.example', 'x', '2023-01-03', ${id(24)})`,
      sql`insert into account_user (account_uuid, user_uuid, role_uuid, account_login)
        values (${northside}, ${administrator}, ${role}, 'Boss'), (${northside}, ${older}, ${role}, 'ANN'), (${northside}, ${younger}, ${role}, 'ann')`,
      sql`insert into mail (uuid, recipient, subject, body, sent_at)
        values
          (${id(41)}, 'a@one.example', 'Your password', 'https://hilum/reset-password/secret', null),
          (${id(42)}, 'a@one.example', 'Your password', 'https://hilum/reset-password/used', now()),
          (${id(43)}, 'a@one.example', 'New exam', 'There is one.', null)`,
      sql`insert into password_reset (token_digest, user_uuid, expires_at) values ('\\x01', ${older}, now() + interval '1 day')`,
    ],
    question: sql`
      select array(select subject || ', ' || case when sent_at is null then 'waits' else 'sent' end from mail order by uuid) as mails,
        (select bool_and(used_at is not null) from password_reset) as resets_are_over,
        array(select name from account where is_demo) as invented`,
    answer: [
      { mails: ['Your password, sent', 'New exam, waits'], resets_are_over: true, invented: ['Northside Imaging'] },
    ],
  },
  {
    from: '0015-sealed-mails',
    step: '0016-folded-logins',
    before: [sql`update app_user set email = 'Ａnn@one.example' where uuid = ${younger}`],
    question: sql`
      select u.email_folded, au.login_folded
      from app_user u
      join account_user au on au.user_uuid = u.uuid
      order by u.uuid`,
    answer: [
      { email_folded: 'administrator@northside.example', login_folded: 'boss' },
      { email_folded: 'ann@one.example', login_folded: 'ann' },
      { email_folded: `ann@one.example ${younger}`, login_folded: '' },
    ],
  },
  {
    from: '0016-folded-logins',
    step: '0017-generations',
    before: [
      sql`insert into stored_study (storage_namespace, study_uid, account_uuid)
        values (${gate}, '1.1', ${northside}), (${gate}, '1.2', ${northside}), (${gate}, '1.9', ${northside})`,
    ],
    question: sql`
      select study_uid, generation, ended_at is not null as is_over, ended_at = '2024-05-05T00:00:00Z' as with_record
      from stored_study
      order by study_uid`,
    answer: [
      { study_uid: '1.1', generation: 1, is_over: false, with_record: null },
      { study_uid: '1.2', generation: 1, is_over: true, with_record: true },
      { study_uid: '1.9', generation: 1, is_over: true, with_record: false },
    ],
  },
  {
    from: '0026-bare-data-sets',
    step: '0027-sources',
    before: [
      sql`insert into study_source (phi_namespace, study_uuid, storage_namespace) values (${gate}, ${deleted}, ${gate})`,
    ],
    question: sql`select study_uuid, storage_namespace, generation from study_source order by study_uuid`,
    answer: [
      { study_uuid: live, storage_namespace: gate, generation: 1 },
      { study_uuid: deleted, storage_namespace: gate, generation: 1 },
      { study_uuid: elsewhere, storage_namespace: library, generation: 1 },
    ],
  },
  {
    from: '0027-sources',
    step: '0028-refusals-without-session',
    before: [
      sql`insert into access_refusal (account_uuid, user_uuid, hour, act, kind, user_name, client_address, last_object, count)
        values (${northside}, ${older}, '2024-06-01', 'viewStudy', 'study', 'Ann', '::1', ${live}, 3)`,
    ],
    question: sql`select asker, user_uuid, count from access_refusal`,
    answer: [{ asker: older, user_uuid: older, count: 3 }],
  },
  {
    from: '0030-work',
    step: '0031-study-ready',
    before: ['1.1.1', '1.1.2'].map(
      (
        sop,
      ) => sql`insert into instance (storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, sop_class, transfer_syntax, length, crc32)
        select ${gate}, key, '1.1.0', ${sop}::text, gen_random_uuid(), true, ${northside}, '\\x02', '1.2', '1.2', 10, 1
        from stored_study
        where study_uid = '1.1'`,
    ),
    question: sql`
      select r.study_uuid, r.number, r.reason, r.images, r.up_to_seq = (select max(seq) from instance) as to_the_last
      from study_ready r`,
    answer: [{ study_uuid: live, number: 1, reason: 'quiet', images: 2, to_the_last: true }],
  },
  {
    from: '0032-hidden-studies',
    step: '0033-keys-of-programs',
    before: [
      sql`insert into session (uuid, sid_digest, user_uuid, created, idle_minutes, expires_at)
        values (${id(51)}, '\\x03', ${older}, '2024-06-01', 60, '2024-06-02')`,
    ],
    question: sql`select uuid, proven_at = created as as_old_as_it, strength from session`,
    answer: [{ uuid: id(51), as_old_as_it: true, strength: 'one factor' }],
  },
  {
    from: '0055-nominations',
    step: '0056-gate-fields',
    before: [
      sql`insert into app_group (uuid, account_uuid, name, namespace_uuid, designation)
        values (${id(11)}, ${northside}, 'Gate', ${gate}, 'GATEKEEPER'), (${id(15)}, ${northside}, 'Odd', ${id(14)}, 'GATEKEEPER'),
          (${id(13)}, ${other}, 'Library', ${library}, 'LIBRARY')`,
      sql`insert into setting (scope, scope_uuid, key, value)
        values ('namespace', ${gate}, 'inbox_config', '{"colour": "red"}'), ('namespace', ${id(14)}, 'inbox_config', 'broken'),
          ('namespace', ${library}, 'inbox_config', '{"colour": "blue"}')`,
    ],
    question: sql`
      select a.name, count(c.uuid)::integer as fields, array(
          select value from setting s join app_group g on g.namespace_uuid = s.scope_uuid
          where g.account_uuid = a.uuid and value not like '%meta_info%' order by value
        ) as as_before,
        array(
          select array_to_string(array[value::json ->> 'colour', (
            select count(*)::text from json_each_text(value::json -> 'meta_info_customfields') f
            join customfield o on o.uuid::text = f.value and o.gate_key = f.key
          )], ' with ')
          from setting s join app_group g on g.namespace_uuid = s.scope_uuid
          where g.account_uuid = a.uuid and value like '%meta_info%'
        ) as with_fields
      from account a
      left join customfield c on c.account_uuid = a.uuid and c.gate_key is not null
      group by a.uuid
      order by a.name`,
    answer: [
      { name: 'Elsewhere', fields: 0, as_before: ['{"colour": "blue"}'], with_fields: [] },
      { name: 'Northside Imaging', fields: 10, as_before: ['broken'], with_fields: ['red with 10'] },
    ],
  },
  {
    from: '0085-disk-warnings',
    step: '0091-pushed-version',
    before: [
      sql`insert into node (uuid, account_uuid, name, type, aetitle)
        values (${id(61)}, ${northside}, 'Own', 'VIRTUAL', 'HILUM_OLD')`,
      sql`insert into destination (uuid, account_uuid, node_uuid, name, type, aetitle, address, port, can_search)
        values (${id(62)}, ${northside}, ${id(61)}, 'Archive', 'DICOM', 'ARCHIVE', '10.0.0.1', 104, true),
          (${id(63)}, ${northside}, ${id(61)}, 'Printer', 'DICOM', 'PRINTER', '10.0.0.2', 104, false)`,
    ],
    question: sql`select name, push_unchecked from destination order by name`,
    answer: [
      { name: 'Archive', push_unchecked: false },
      { name: 'Printer', push_unchecked: true },
    ],
  },
  {
    from: '0093-holdings-of-people',
    step: '0095-installation-warnings',
    before: [sql`insert into disk_warning (level, mailed_at) values ('full', '2026-01-02 03:04:05+00')`],
    question: sql`select warning, to_char(mailed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as mailed_at
      from installation_warning`,
    answer: [{ warning: 'disk full', mailed_at: '2026-01-02 03:04' }],
  },
  {
    from: '0184-name-of-database',
    step: '0187-origins-of-copies',
    before: [
      sql`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
        values (${id(71)}, ${library}, ${elsewhere}, 'group', ${id(11)}, 'delivered')`,
      sql`insert into study_source (phi_namespace, study_uuid, storage_namespace, generation, share_uuid, added)
        values (${gate}, ${live}, ${library}, 1, ${id(71)}, '2024-01-01')`,
      sql`update study_source set copied_from = ${[deleted]}::uuid[] where study_uuid = ${live} and share_uuid is null`,
      sql`insert into nameless_copy (uuid, phi_namespace, study_uuid, account_uuid, study_uid, copy_study_uid, recipient,
          pseudonym, days, dates, texts, pixels_seen, digest, user_uuid)
        values
          (${id(72)}, ${gate}, ${live}, ${northside}, '1.1', '2.25.1', 'Trial', 'ANON-1', 0, 'REMOVED', '{}', true, '', ${older}),
          (${id(73)}, ${library}, ${elsewhere}, ${other}, '1.3', '2.25.2', 'Trial', 'ANON-2', 0, 'REMOVED', '{}', true, '', ${older}),
          (${id(74)}, ${gate}, ${id(75)}, ${northside}, '2.25.1', '2.25.3', 'Trial', 'ANON-3', 0, 'REMOVED', '{}', true, '', ${older})`,
      sql`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, deleted_at, created, updated)
        values (${gate}, ${id(75)}, '2.25.1', ${gate}, ${northside}, 'complete', '2024-05-05T00:00:00Z', '2024-01-01', '2024-01-02')`,
      sql`insert into retraction (uuid, account_uuid, study_uid, phi_namespace, study_uuid, reason, by_user)
        values (${id(76)}, ${northside}, '2.25.1', ${gate}, ${id(75)}, '', ${older}),
          (${id(77)}, ${northside}, '1.1', ${gate}, ${live}, '', ${older})`,
    ],
    question: sql`select uuid, copied_from, array(
        select r.uuid from retraction r where r.is_nameless and r.study_uid = c.copy_study_uid
      ) as retracted
      from nameless_copy c order by uuid`,
    answer: [
      { uuid: id(72), copied_from: [deleted, elsewhere], retracted: [id(76)] },
      { uuid: id(73), copied_from: [], retracted: [] },
      { uuid: id(74), copied_from: [live, deleted, elsewhere], retracted: [] },
    ],
  },
  {
    from: '0188-fields-by-share-code',
    step: '0190-exams-of-orders',
    before: [
      sql`insert into imaging_order (account_uuid, uuid) values (${northside}, ${id(71)})`,
      sql`insert into order_step (account_uuid, order_uuid, uuid, mpps_status)
        values (${northside}, ${id(71)}, ${id(72)}, 'IN PROGRESS'), (${northside}, ${id(71)}, ${id(73)}, 'COMPLETED')`,
    ],
    question: sql`select mpps_status from order_step order by uuid`,
    answer: [{ mpps_status: 'IN_PROGRESS' }, { mpps_status: 'COMPLETED' }],
  },
  {
    from: '0191-waiting-reports',
    step: '0193-listed-people',
    before: [
      sql`update app_user set first_name = 'Ann', last_name = 'Older', last_login = '2026-01-02' where uuid = ${older}`,
      sql`insert into group_user (group_uuid, user_uuid, role_uuid) values (${id(11)}, ${older}, ${role})`,
    ],
    question: sql`
      select place_type, name, login, role_uuid = ${role} as has_role, last_login > '-infinity' as has_signed_in
      from listed_person
      order by name, place_type`,
    answer: [
      {
        place_type: 'account',
        name: 'administrator@northside.example',
        login: 'boss',
        has_role: true,
        has_signed_in: false,
      },
      { place_type: 'account', name: 'ann older', login: 'ann', has_role: true, has_signed_in: true },
      { place_type: 'group', name: 'ann older', login: '', has_role: true, has_signed_in: false },
      { place_type: 'account', name: 'ａnn@one.example', login: 'ann', has_role: true, has_signed_in: false },
    ],
  },
  {
    from: '0202-places-of-reports',
    step: '0203-patient-of-push',
    before: [
      sql`insert into node (uuid, account_uuid, name, type, aetitle)
        values (${id(81)}, ${northside}, 'Later', 'VIRTUAL', 'HILUM_LATER')`,
      sql`insert into destination (uuid, account_uuid, node_uuid, name, type, aetitle, address, port)
        values (${id(82)}, ${northside}, ${id(81)}, 'Store', 'DICOM', 'STORE', '10.0.0.1', 104),
          (${id(83)}, ${northside}, ${id(81)}, 'Reading', 'DICOM', 'READING', '10.0.0.2', 104)`,
      sql`insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, status, sent)
        values (${gate}, ${live}, ${id(82)}, ${id(84)}, ${northside}, 'Store', 'P', ${[id(86)]}::uuid[]),
          (${gate}, ${live}, ${id(83)}, ${id(85)}, ${northside}, 'Reading', 'S', ${[id(86)]}::uuid[])`,
    ],
    question: sql`select destination_name, sent, sent_as from push order by destination_name`,
    answer: [
      { destination_name: 'Reading', sent: [id(86)], sent_as: null },
      { destination_name: 'Store', sent: [], sent_as: null },
    ],
  },
  {
    from: '0255-spelled-numbers',
    step: '0273-names-of-own-places',
    before: [
      sql`insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
        values (${id(22)}, 'user', ${older}, ${northside}, 'Ann@one.example'), (${id(24)}, 'user', ${younger}, ${northside}, 'Ann')
        on conflict (uuid) do update set name = excluded.name`,
    ],
    question: sql`select name from namespace where uuid in (${id(22)}, ${id(24)}) order by uuid`,
    answer: [{ name: 'Ann Older' }, { name: 'Ａnn@one.example' }],
  },
  {
    from: '0273-names-of-own-places',
    step: '0280-right-of-auditors',
    before: [
      sql`insert into role (uuid, account_uuid, name, permissions)
        values (${id(91)}, ${northside}, 'Head', '{account_edit,audit_view}'), (${id(92)}, ${northside}, 'Histories', '{audit_view}')`,
      sql`insert into session (uuid, sid_digest, user_uuid, method, strength, name, scope, idle_minutes, expires_at)
        values (${id(93)}, decode(repeat('93', 32), 'hex'), ${older}, 'key', 'one factor', 'Head', '{account_edit,audit_view}', 60,
          now() + interval '1 day')`,
    ],
    question: sql`
      select name, permissions from role where uuid in (${id(91)}, ${id(92)})
      union all
      select 'Key ' || name, scope from session where uuid = ${id(93)}
      order by name`,
    answer: [
      { name: 'Head', permissions: ['account_edit', 'audit_view', 'account_audit_view'] },
      { name: 'Histories', permissions: ['audit_view'] },
      { name: 'Key Head', permissions: ['account_edit', 'audit_view', 'account_audit_view'] },
    ],
  },
  {
    from: '0280-right-of-auditors',
    step: '0290-proven-addresses',
    before: [
      sql`update app_user set last_login = '2026-01-02' where uuid in (${older}, ${younger})`,
      sql`insert into audit (account_uuid, action, type, object_uuid, detail)
        values (${northside}, 'EDIT', 'User', ${younger}, '{"email": ["one@one.example", "two@one.example"]}')`,
    ],
    question: sql`select uuid, address_unproven from app_user where uuid in (${older}, ${younger}) order by address_unproven`,
    answer: [
      { uuid: older, address_unproven: false },
      { uuid: younger, address_unproven: true },
    ],
  },
  {
    from: '0290-proven-addresses',
    step: '0302-departures',
    before: [
      sql`update push set sent_as = '\\x01', former_as = '\\x03' where destination_name = 'Reading'`,
      sql`update push set sent_as = '\\x04', former_as = '\\x02' where destination_name = 'Store'`,
    ],
    question: sql`select destination_uuid, encode(sent_as, 'hex') as sent_as from departure order by destination_uuid`,
    answer: [
      { destination_uuid: id(82), sent_as: '02' },
      { destination_uuid: id(83), sent_as: '01' },
    ],
  },
  {
    from: '0302-departures',
    step: '0308-askers-of-retrievals',
    before: [
      sql`insert into retrieval (uuid, account_uuid, node_uuid, destination_uuid, search_uuid, user_uuid, phi_namespace, study_uid)
        values (${id(101)}, ${northside}, ${id(81)}, ${id(82)}, ${id(102)}, ${older}, ${gate}, '1.2.101')`,
    ],
    question: sql`select retrieval_uuid, search_uuid, user_uuid from retrieval_asker`,
    answer: [{ retrieval_uuid: id(101), search_uuid: id(102), user_uuid: older }],
  },
  {
    from: '0308-askers-of-retrievals',
    step: '0309-what-mails-are-of',
    before: [
      sql`insert into mail (uuid, recipient, subject, body) values
        (${id(103)}, 'doctor@one.example', 'An exam is there', 'Open it.'), (${id(104)}, 'other@one.example', 'Another', 'Read it.')`,
      sql`insert into link (uuid, account_uuid, created_by, action, permissions, expires_at, secret_digest, mail_uuid)
        values (${id(105)}, ${northside}, ${older}, 'STUDY_VIEW', '{study_view}', now() + interval '1 day', '\\x05', ${id(103)})`,
    ],
    question: sql`select uuid, link_uuid from mail where uuid in (${id(103)}, ${id(104)}) order by uuid`,
    answer: [
      { uuid: id(103), link_uuid: id(105) },
      { uuid: id(104), link_uuid: null },
    ],
  },
  {
    from: '0318-people-in-each-order',
    step: '0319-accounts-of-copies',
    before: [
      sql`update study_source set copied_from = ${[deleted, elsewhere, id(75), id(106)]}::uuid[]
        where study_uuid = ${live} and share_uuid is null`,
    ],
    question: sql`select study_uuid, copied_from_accounts from study_source where copied_from is not null`,
    answer: [{ study_uuid: live, copied_from_accounts: [northside, other] }],
  },
  {
    from: '0330-given-up-mails',
    step: '0335-abandoned-mails',
    before: [
      sql`delete from mail`,
      sql`insert into mail (uuid, recipient, subject, body, created) values
        (${id(107)}, 'old@one.example', 'An exam is there', 'Open it.', now() - interval '30 days'),
        (${id(108)}, 'abandoned@one.example', 'Another', 'Read it.', now() - interval '3 days'),
        (${id(109)}, 'tried@one.example', 'A third', 'Read it.', now() - interval '1 day')`,
    ],
    question: sql`select uuid, given_up, returned_at = created + interval '2 days' as is_as_long_ago from mail order by uuid`,
    answer: [
      { uuid: id(107), given_up: true, is_as_long_ago: true },
      { uuid: id(108), given_up: true, is_as_long_ago: true },
      { uuid: id(109), given_up: false, is_as_long_ago: null },
    ],
  },
  {
    from: '0350-waiting-nominations',
    step: '0351-exams-of-moved-places',
    before: [
      sql`insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
        values (${id(110)}, 'user', ${id(111)}, ${other}, 'Ann Lee')`,
      sql`insert into patient_hold (account_uuid, issuer, patientid, reason) values (${northside}, 'NORTHSIDE', 'old-110', 'Court')`,
      sql`insert into setting (scope, scope_uuid, key, value) values ('account', ${northside}, 'retention_days', '36500')
        on conflict (scope, scope_uuid, key) do update set value = excluded.value`,
      sql`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, patientid,
          issuer, arrival, deleted_at, created, updated)
        values
          (${id(110)}, ${id(112)}, '1.2.112', ${id(110)}, ${northside}, 'DOE^JANE', 'doe^jane', 'OLD-110', 'NORTHSIDE', 'complete', '2024-05-05', '2024-01-01', '2024-01-02'),
          (${id(110)}, ${id(113)}, '1.2.113', ${id(110)}, ${northside}, 'ROE^JIM', 'roe^jim', 'OLD-111', '', 'complete', '2024-05-05', '2024-01-01', '2024-01-02')`,
    ],
    question: sql`select s.uuid, s.account_uuid, s.issuer, s.hold_reason, s.retain_until > '2120-01-01' and s.retain_until < '2125-01-01' as is_kept,
        (select json_agg(a.action || ' ' || (a.detail ->> 'reason') order by a.action) from audit a
          where a.object_uuid = s.uuid and a.account_uuid = s.account_uuid) as told
      from study s where s.phi_namespace = ${id(110)} order by s.uuid`,
    answer: [
      {
        uuid: id(112),
        account_uuid: other,
        issuer: 'NORTHSIDE',
        hold_reason: 'Court',
        is_kept: true,
        told: ['EDIT Rule of retention of Northside Imaging', 'HOLD Court'],
      },
      {
        uuid: id(113),
        account_uuid: other,
        issuer: 'NORTHSIDE',
        hold_reason: '',
        is_kept: true,
        told: ['EDIT Rule of retention of Northside Imaging'],
      },
    ],
  },
  {
    from: '0351-exams-of-moved-places',
    step: '0354-images-that-may-have-left',
    before: [],
    question: sql`select destination_name, status, may_have_left, sent_before from push order by destination_name`,
    answer: [
      { destination_name: 'Reading', status: 'S', may_have_left: false, sent_before: 0 },
      { destination_name: 'Store', status: 'P', may_have_left: true, sent_before: 0 },
    ],
  },
  {
    from: '0357-cancelled-mails',
    step: '0362-roles-of-members',
    before: [sql`insert into group_user (group_uuid, user_uuid) values (${id(11)}, ${younger}) on conflict do nothing`],
    question: sql`
      select place_type, role_uuid = ${role} as has_role_there, account_role_uuid = ${role} as has_role_in_account
      from listed_person
      where user_uuid = ${younger}
      order by place_type`,
    answer: [
      { place_type: 'account', has_role_there: true, has_role_in_account: true },
      { place_type: 'group', has_role_there: null, has_role_in_account: true },
    ],
  },
  {
    from: '0368-what-runs-were-asked-of',
    step: '0373-reasons-after-an-upgrade',
    before: [
      sql`update push set wants_reason = true, status = 'F', message = 'Not sent.' where destination_name = 'Store'`,
      sql`update push set message = '' where destination_name = 'Reading'`,
    ],
    question: sql`select destination_name, status, wants_reason, message from push order by destination_name`,
    answer: [
      { destination_name: 'Reading', status: 'S', wants_reason: false, message: '' },
      {
        destination_name: 'Store',
        status: 'F',
        wants_reason: false,
        message:
          'Not sent. This was asked before an upgrade of Hilum: send the exam again, and it is asked anew where it still has to be.',
      },
    ],
  },
  {
    from: '0373-reasons-after-an-upgrade',
    step: '0376-corrections-of-senders',
    before: [
      sql`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, edits, arrival, created, updated)
        values
          (${gate}, ${id(120)}, '1.2.120', ${gate}, ${northside}, '[{"tag": "patient_name", "when": "2024-01-02T00:00:00.000Z"}]', 'complete', '2024-01-01', '2024-01-02'),
          (${gate}, ${id(121)}, '1.2.121', ${gate}, ${northside}, '[{"tag": "patient_name", "when": "2024-03-02T00:00:00.000Z"}]', 'complete', '2024-01-01', '2024-01-02'),
          (${gate}, ${id(122)}, '1.2.122', ${gate}, ${northside}, '[]', 'complete', '2024-01-01', '2024-01-02')`,
      sql`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
        select s.uuid, s.phi_namespace, s.uuid, 'group', ${id(13)}, 'delivered'
        from study s where s.uuid in (${id(120)}, ${id(121)}, ${id(122)})`,
      sql`insert into nomination (uuid, account_uuid, from_namespace, study_uuid, group_uuid, group_name, gate_namespace, gate_uuid,
          share_uuid, state, submitted_at, submitted_by)
        select h.study_uuid, ${northside}, h.from_namespace, h.study_uuid, ${id(13)}, 'Gateway', ${library}, h.study_uuid,
          h.uuid, 'nominated', '2024-02-01', ${administrator}
        from share h where h.uuid in (${id(120)}, ${id(121)}, ${id(122)})`,
    ],
    question: sql`
      select m.uuid, sha256(convert_to(s.edits::text, 'UTF8')) <> m.edits_digest as is_corrected
      from nomination m
      join study s on s.uuid = m.study_uuid
      where m.uuid in (${id(120)}, ${id(121)}, ${id(122)})
      order by m.uuid`,
    answer: [
      { uuid: id(120), is_corrected: false },
      { uuid: id(121), is_corrected: true },
      { uuid: id(122), is_corrected: false },
    ],
  },
  {
    from: '0376-corrections-of-senders',
    step: '0377-patients-of-sendings',
    before: [
      sql`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
        values (${id(201)}, ${gate}, ${live}, 'group', ${id(13)}, 'scheduled')`,
      sql`insert into link (uuid, account_uuid, created_by, action, permissions, expires_at, secret_digest, email)
        values (${id(202)}, ${northside}, ${older}, 'STUDY_VIEW', '{study_view}', now() + interval '1 day', '\\x0202', 'gp@one.example')`,
      sql`insert into link_study (link_uuid, phi_namespace, study_uuid) values (${id(202)}, ${gate}, ${live})`,
    ],
    question: sql`
      select h.for_patient ->> 'patient_name' = s.patient_name as has_patient,
        h.for_patient = (select ls.for_patient from link_study ls where ls.link_uuid = ${id(202)}) as so_has_link
      from share h
      join study s on s.uuid = h.study_uuid
      where h.uuid = ${id(201)}`,
    answer: [{ has_patient: true, so_has_link: true }],
  },
]
