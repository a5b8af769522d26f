import { type Kysely, sql } from 'kysely'

/** Accounts, people, roles, groups, settings, sessions, studies, the storage index, audit and the event outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/*
 * Every study-owned key begins with its namespace, so that partitions and Citus stay possible. Words that SQL
 * reserves get a neighbour: app_user, app_group. Indexes say which question they answer.
 */
const statements = [
  `create extension if not exists pg_trgm`,

  `create table account (
    uuid uuid primary key,
    name text not null unique,
    vanity text not null default '',
    namespace_uuid uuid not null unique,
    password_expire_days integer not null default 0,
    session_expire_minutes integer not null default 0,
    issuer text not null,
    default_role_uuid uuid,
    created timestamptz not null default now()
  )`,

  `create table namespace (
    uuid uuid primary key,
    kind text not null check (kind in ('account', 'group', 'location', 'user')),
    owner_uuid uuid not null unique,
    account_uuid uuid not null,
    name text not null
  )`,
  `create index namespace_of_account on namespace (account_uuid)`,

  `create table role (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    name text not null,
    description text not null default '',
    type text not null default '' check (type in ('admin', 'user', '')),
    for_account boolean not null default true,
    for_group boolean not null default true,
    for_location boolean not null default true,
    permissions text[] not null,
    unique (account_uuid, name)
  )`,

  `create table app_user (
    uuid uuid primary key,
    email text not null,
    first_name text not null default '',
    last_name text not null default '',
    password_hash text not null,
    password_set_at timestamptz not null default now(),
    namespace_uuid uuid not null unique,
    sysadmin boolean not null default false,
    support boolean not null default false,
    disabled boolean not null default false,
    mobile_phone text not null default '',
    share_code text not null default '',
    share_description text not null default '',
    time_zone text not null default '',
    ui_json jsonb not null default '{}',
    failed_logins integer not null default 0,
    locked_until timestamptz,
    last_login timestamptz,
    created timestamptz not null default now()
  )`,
  `create unique index app_user_email on app_user (lower(email))`,

  `create table account_user (
    account_uuid uuid not null references account (uuid),
    user_uuid uuid not null references app_user (uuid),
    role_uuid uuid not null references role (uuid),
    account_login text not null default '',
    disabled boolean not null default false,
    primary key (account_uuid, user_uuid)
  )`,
  `create index account_user_of_user on account_user (user_uuid)`,

  `create table app_group (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    name text not null,
    namespace_uuid uuid not null unique,
    designation text not null check (designation in ('CLOUD', 'LIBRARY', 'GATEKEEPER')),
    must_approve boolean not null default false,
    must_approve_upload boolean not null default false,
    must_approve_harvest boolean not null default false,
    must_approve_move boolean not null default false,
    no_share boolean not null default false,
    share_code text not null default '',
    share_description text not null default '',
    default_role_uuid uuid references role (uuid),
    created timestamptz not null default now(),
    unique (account_uuid, name)
  )`,

  `create table group_user (
    group_uuid uuid not null references app_group (uuid),
    user_uuid uuid not null references app_user (uuid),
    role_uuid uuid references role (uuid),
    primary key (group_uuid, user_uuid)
  )`,
  `create index group_user_of_user on group_user (user_uuid)`,

  // scope is account, role, namespace, user or session; the nearest scope that has the key wins
  `create table setting (
    scope text not null check (scope in ('account', 'role', 'namespace', 'user', 'session')),
    scope_uuid uuid not null,
    key text not null,
    value text not null,
    version integer not null default 1,
    primary key (scope, scope_uuid, key)
  )`,

  // Only the digest of a sid is kept. A derived session names studies, is read-only and dies with its parent.
  `create table session (
    uuid uuid primary key,
    sid_digest bytea not null unique,
    user_uuid uuid not null references app_user (uuid),
    parent_uuid uuid references session (uuid) on delete cascade,
    studies uuid[],
    created timestamptz not null default now(),
    last_used timestamptz not null default now(),
    idle_minutes integer not null,
    expires_at timestamptz not null
  )`,
  `create index session_of_user on session (user_uuid, last_used)`,
  `create index session_expiring on session (expires_at)`,
  `create index session_children on session (parent_uuid) where parent_uuid is not null`,

  `create table password_history (
    user_uuid uuid not null references app_user (uuid),
    at timestamptz not null default now(),
    password_hash text not null,
    primary key (user_uuid, at)
  )`,
  `create table password_reset (
    token_digest bytea primary key,
    user_uuid uuid not null references app_user (uuid),
    expires_at timestamptz not null,
    used_at timestamptz
  )`,

  // counted attempts at sign-in and reset, by a digest of what was tried; shared by every server process
  `create table attempt (
    kind text not null,
    key_digest bytea not null,
    window_start timestamptz not null,
    count integer not null,
    primary key (kind, key_digest, window_start)
  )`,

  // mails wait here; without an SMTP server they stay, for administrators to read
  `create table mail (
    uuid uuid primary key,
    account_uuid uuid,
    recipient text not null,
    subject text not null,
    body text not null,
    created timestamptz not null default now(),
    sent_at timestamptz,
    last_error text
  )`,
  `create index mail_waiting on mail (created) where sent_at is null`,

  `create table stored_study (
    key bigint generated always as identity unique,
    storage_namespace uuid not null,
    study_uid text not null,
    account_uuid uuid not null,
    content_version bigint not null default 1,
    image_count integer not null default 0,
    series_count integer not null default 0,
    size bigint not null default 0,
    conflict_count integer not null default 0,
    identities jsonb not null default '[]',
    modalities text[] not null default '{}',
    first_image_at timestamptz,
    last_image_at timestamptz,
    primary key (storage_namespace, study_uid)
  ) with (fillfactor = 90)`,

  `create table series (
    storage_namespace uuid not null,
    study_key bigint not null,
    series_uid text not null,
    modality text not null default '',
    series_number integer,
    description text not null default '',
    series_date text not null default '',
    series_time text not null default '',
    body_part text not null default '',
    image_count integer not null default 0,
    size bigint not null default 0,
    first_seq bigint not null,
    primary key (storage_namespace, study_key, series_uid)
  ) with (fillfactor = 90)`,

  `create table blob (
    account_uuid uuid not null,
    sha256 bytea not null,
    generation integer not null default 1,
    store text not null default 'fs',
    object_key text not null,
    byte_offset bigint not null default 0,
    length bigint not null,
    crc32 bigint not null,
    state text not null default 'ready' check (state in ('ready', 'doomed')),
    created timestamptz not null default now(),
    primary key (account_uuid, sha256, generation)
  )`,

  // objects that something refers to, asked by ingest and by the sweep
  `create index blob_of_object on blob (object_key)`,

  // version is the first 128 bits of the SHA-256 of the bytes; the lowest seq of a (series, sop) is the one shown;
  // crc32 is that of the bytes as they leave, with the preamble blanked (blob.crc32: as they lie)
  `create table instance (
    seq bigint generated always as identity,
    storage_namespace uuid not null,
    study_key bigint not null,
    series_uid text not null,
    sop_uid text not null,
    version uuid not null,
    is_primary boolean not null,
    account_uuid uuid not null,
    sha256 bytea not null,
    generation integer not null default 1,
    sop_class text not null,
    transfer_syntax text not null,
    instance_number integer,
    frames integer not null default 1,
    rows integer,
    columns integer,
    pixel_offset bigint,
    length bigint not null,
    crc32 bigint not null,
    tail_crc32 bigint,
    preamble_blank boolean not null default false,
    source text not null default 'upload',
    source_name text not null default '',
    arrived timestamptz not null default now(),
    primary key (storage_namespace, study_key, series_uid, sop_uid, version)
  )`,
  // one image by its SOP UID alone, as storage addresses name it
  `create index instance_by_sop on instance (storage_namespace, study_key, sop_uid, seq)`,
  // images that still need a blob, asked by the purge
  `create index instance_of_blob on instance (account_uuid, sha256)`,

  `create table study (
    phi_namespace uuid not null,
    uuid uuid not null unique,
    study_uid text not null,
    storage_namespace uuid not null,
    account_uuid uuid not null,
    patient_name text not null default '',
    search text not null default '',
    patientid text not null default '',
    issuer text not null default '',
    patient_birth_date text not null default '',
    patient_birth_time text not null default '',
    patient_sex text not null default '',
    patient_age text not null default '',
    accession_number text not null default '',
    study_description text not null default '',
    study_date text not null default '',
    study_time text not null default '',
    modality text not null default '',
    modalities text[] not null default '{}',
    referring_physician text not null default '',
    demographics jsonb not null default '{}',
    edits jsonb not null default '[]',
    source text not null default 'upload' check (source in ('upload', 'harvest', 'share', 'copy')),
    source_ae_title text not null default '',
    destination_ae_title text not null default '',
    integration_key text not null default '',
    arrival text not null default 'announced' check (arrival in ('announced', 'receiving', 'complete', 'incomplete')),
    expected_count integer,
    complete_at timestamptz,
    synced_at timestamptz,
    synced_version bigint,
    phantom_until timestamptz,
    thin boolean not null default false,
    mixed_patients boolean not null default false,
    must_approve boolean not null default false,
    gate_state text,
    is_frozen boolean not null default false,
    status text not null default 'new' check (status in ('new', 'in_progress', 'done')),
    taken_by uuid,
    priority smallint not null default 0,
    nominated_at timestamptz,
    has_direct_shares boolean not null default false,
    share_message text not null default '',
    hold boolean not null default false,
    attachment_count integer not null default 0,
    tags text[] not null default '{}',
    customfields jsonb not null default '{}',
    phi_version bigint not null default 1,
    row_version bigint not null default 1,
    created_by uuid,
    deleted_at timestamptz,
    deleted_by uuid,
    created timestamptz not null,
    updated timestamptz not null,
    primary key (phi_namespace, uuid),
    unique (phi_namespace, study_uid)
  ) with (fillfactor = 90)`,
  // newest first in one inbox, the list everybody opens, and how many there are
  `create index study_newest on study (phi_namespace, created desc, uuid desc) include (must_approve) where deleted_at is null and arrival <> 'announced'`,
  `create index study_deleted on study (phi_namespace, created desc, uuid desc) where deleted_at is not null`,
  `create index study_by_date on study (phi_namespace, study_date desc, uuid desc) where deleted_at is null and arrival <> 'announced'`,
  `create index study_by_name on study (phi_namespace, search, uuid) where deleted_at is null and arrival <> 'announced'`,
  `create index study_by_accession on study (accession_number, phi_namespace) where accession_number <> ''`,
  // by the whole number and by its beginning, in any locale
  `create index study_by_mrn on study (lower(patientid) text_pattern_ops, phi_namespace)`,
  `create index study_by_uid on study (study_uid)`,
  // single-column on purpose: with the namespace in front a common name costs ten times as much
  `create index study_search on study using gin (search gin_trgm_ops)`,
  `create index study_tags on study using gin (tags)`,
  // studies still coming in, asked every few seconds; on columns that never change, so that an update with each batch
  // of images touches no index (with room on the page: fillfactor)
  `create index study_arriving on study (phi_namespace, uuid) where arrival in ('announced', 'receiving')`,

  `create table study_source (
    phi_namespace uuid not null,
    study_uuid uuid not null,
    storage_namespace uuid not null,
    share_uuid uuid,
    added timestamptz not null default now()
  )`,
  `create unique index study_source_once on study_source
    (phi_namespace, study_uuid, storage_namespace, coalesce(share_uuid, '00000000-0000-0000-0000-000000000000'))`,
  `create index study_source_of_share on study_source (share_uuid) where share_uuid is not null`,

  `create table share (
    uuid uuid primary key,
    from_namespace uuid not null,
    study_uuid uuid not null,
    to_kind text not null check (to_kind in ('account', 'group', 'location', 'user', 'invite')),
    to_uuid uuid not null,
    parent_uuid uuid references share (uuid),
    message text not null default '',
    state text not null check (state in ('scheduled', 'delivered', 'stopped')),
    by_user uuid,
    run_at timestamptz,
    expires_at timestamptz,
    created timestamptz not null default now()
  )`,
  `create unique index share_live on share (study_uuid, to_kind, to_uuid) where state <> 'stopped'`,

  `create table study_star (
    user_uuid uuid not null,
    phi_namespace uuid not null,
    study_uuid uuid not null,
    primary key (user_uuid, study_uuid)
  )`,
  `create table study_read (
    user_uuid uuid not null,
    phi_namespace uuid not null,
    study_uuid uuid not null,
    at timestamptz not null default now(),
    primary key (user_uuid, study_uuid)
  )`,
  `create table study_lock (
    phi_namespace uuid not null,
    study_uuid uuid not null primary key,
    user_uuid uuid not null,
    session_uuid uuid not null,
    until timestamptz not null
  )`,

  `create table attachment (
    phi_namespace uuid not null,
    study_uuid uuid not null,
    id uuid not null,
    version uuid not null,
    filename text not null,
    account_uuid uuid not null,
    sha256 bytea not null,
    generation integer not null default 1,
    length bigint not null,
    stored timestamptz not null default now(),
    stored_by uuid,
    deleted_at timestamptz,
    primary key (phi_namespace, study_uuid, id, version)
  )`,

  `create table audit (
    id bigint generated always as identity,
    account_uuid uuid,
    at timestamptz not null default now(),
    actor uuid,
    actor_name text not null default '',
    proxy text not null default '',
    action text not null,
    type text not null,
    object_uuid uuid,
    phi_namespace uuid,
    detail jsonb not null default '{}',
    client_address text not null default '',
    primary key (id, at)
  ) partition by range (at)`,
  `create table audit_default partition of audit default`,
  `create index audit_of_object on audit (object_uuid, at desc, id desc)`,
  `create index audit_of_account on audit (account_uuid, at desc, id desc)`,
  // "every access is on record, once": one derived or signed-in session, act and study
  `create table audit_once (
    session_uuid uuid not null references session (uuid) on delete cascade,
    action text not null,
    study_uuid uuid not null,
    primary key (session_uuid, action, study_uuid)
  )`,

  // the outbox: ids only, written with the change itself and tailed below the oldest running transaction
  `create table event (
    id bigint generated always as identity primary key,
    tx xid8 not null default pg_current_xact_id(),
    namespace_uuid uuid,
    kind text not null,
    uuid uuid,
    at timestamptz not null default now()
  )`,
  `create index event_age on event (at)`,
]
