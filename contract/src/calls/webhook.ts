import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

export const webhookEvent = defineCall({
  path: 'webhook/event',
  summary: 'Tells that an uploader starts or ends a session of uploads into a namespace.',
  on: { kind: 'namespace', by: ['namespace_id'], may: 'uploadStudy' },
  input: z.object({
    namespace_id: wire.id(),
    type: z.enum(['STUDY_UPLOAD_START', 'STUDY_UPLOAD_END']),
    integration_key: z.optional(wire.clearableText()),
    study_count: z.optional(wire.integer()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_INTEGER', 'INVALID_FIELD'],
})

/** Methods by which an address is called: JSON or a form in the body, or the fields in the query. */
const webhookMethods = ['POST_JSON', 'PUT', 'POST', 'GET', 'GET_JSON'] as const
export type WebhookMethod = (typeof webhookMethods)[number]

/** Events for which webhooks are called, all but LINK_OPEN of the wire; each webhook listens to one, and rules call any. */
export const webhookEvents = [
  'ROUTE_RULE',
  'STUDY_SYNC',
  'STUDY_SHARE',
  'STUDY_WAS_SHARED',
  'STUDY_REQUEST_APPROVAL',
  'STUDY_APPROVE',
  'STUDY_REJECT',
  'STUDY_UPLOAD_START',
  'STUDY_UPLOAD_END',
  'STUDY_UPLOAD_LINK',
  'STUDY_VIEW',
  'STUDY_DOWNLOAD',
  'STUDY_REPORT',
  'STUDY_REPORT_REMOVE',
  'STUDY_REPORT_VIEW',
  'STUDY_EDIT',
  'STUDY_DELETE',
  'STUDY_SPLIT',
  'STUDY_MERGE',
  'STUDY_MERGE_FAIL',
  'STUDY_COPY',
  'STUDY_DEID_FAIL',
  'STUDY_PUSH_STATUS',
  'DESTINATION_FETCH_SUCCESS',
  'DESTINATION_FETCH_FAIL',
  'LINK_OPEN',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
/** Most letters of an address. */
export const maxWebhookUrl = 2000

const webhookObject = z.object({
  uuid: z.string(),
  name: z.string(),
  event: z.string(),
  url: z.string(),
  method: z.enum(webhookMethods),
  suspended: flagOut,
  /** Fields that are sent besides those of the event. */
  parameters: z.record(z.string(), z.string()),
  /** 1 where a call that failed is tried again. */
  retry: flagOut,
  last_error: z.string(),
  /** Changes with each change (ours). */
  row_version: z.number(),
})
export type Webhook = z.infer<typeof webhookObject>

export const webhookList = defineCall({
  path: 'webhook/list',
  reads: true,
  summary:
    'Lists the webhooks of an account by name. Pages, filters and orders are ours; without them it gives the first 1000.',
  on: { kind: 'account', by: ['account_id'], may: 'administerWebhooks' },
  list: {
    object: 'webhook',
    rowsKey: 'webhooks',
    filters: { uuid: 'uuid', name: 'text', url: 'text', event: 'exact', method: 'exact', suspended: 'flag' },
    sorts: ['name', 'url', 'event', 'suspended', 'last_error'],
    defaultRows: 1000,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ webhooks: z.array(webhookObject), page: wire.page }),
  errors: [],
})

export const webhookGet = defineCall({
  path: 'webhook/get',
  reads: true,
  summary: 'Reads one webhook; its secret is never told again.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'administerWebhooks' },
  input: z.object({ uuid: wire.id() }),
  output: webhookObject,
  errors: [],
})

const values = {
  suspended: z.optional(wire.flag()),
  parameters: z.optional(wire.json(z.unknown())),
  retry: z.optional(wire.flag()),
}
const faults = [
  'INVALID_EVENT',
  'INVALID_FIELD',
  'INVALID_FLAG',
  'INVALID_JSON',
  'INVALID_METHOD',
  'INVALID_URL',
  'NOT_HASH',
] as const
const event = () => wire.oneOf(webhookEvents, 'INVALID_EVENT')
const method = () => wire.oneOf(webhookMethods, 'INVALID_METHOD')

export const webhookAdd = defineCall({
  path: 'webhook/add',
  once: {},
  summary:
    'Makes a webhook. The secret by which its calls are signed is told in this answer alone. ROUTE_RULE is called by routing rules alone; any other event for every study of the account that it happens to, but for those that wait for approval: STUDY_SYNC once images have come and settled, also after an approval and when a deleted study is shown again; STUDY_DELETE also with each study that was taken back, here and wherever it had gone, that was erased with its patient, or that ended with a share or an undone separation; STUDY_SHARE with the study that was given, STUDY_WAS_SHARED with the one that was received; STUDY_REJECT with the study whose share or nomination was rejected elsewhere; STUDY_UPLOAD_LINK once all of a study has come by a request or a share code, with the place alone where the study waits for approval; STUDY_SPLIT and STUDY_MERGE with both studies, also when that is undone, and with each study of the account that shows one of them by a share, STUDY_MERGE_FAIL with the study that was to be emptied; STUDY_COPY when a copy of a shared study was kept, STUDY_DEID_FAIL with the study of which a copy without names failed; DESTINATION_FETCH_SUCCESS and DESTINATION_FETCH_FAIL when a retrieval ended, the latter also when a part came alone, with the study where it is here and waits for no approval, and else with the place; LINK_OPEN (ours) with each study of a link when somebody opens the link, of each link once in an hour; STUDY_VIEW, STUDY_DOWNLOAD and STUDY_REPORT_VIEW once for each session, by people and by links, and not by programs with a key: listeners that read what they are told of do so by a key, since each sign-in by a password is a session of its own; STUDY_PUSH_STATUS when a push ended. STUDY_UPLOAD_START, STUDY_UPLOAD_END and STUDY_REQUEST_APPROVAL, of images that wait for approval, name the place alone.',
  on: { kind: 'account', by: ['account_id'], may: 'editWebhooks' },
  input: z.object({
    account_id: wire.id(),
    name: wire.text(),
    event: event(),
    url: wire.text(),
    method: method(),
    ...values,
  }),
  output: z.object({ uuid: z.string(), secret: z.string() }),
  errors: ['ACCOUNT_NOT_FOUND', ...faults],
})

export const webhookSet = defineCall({
  path: 'webhook/set',
  summary: 'Changes a webhook. With new_secret=1 it gets another secret, told in this answer alone.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'editWebhooks' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    event: z.optional(event()),
    url: z.optional(wire.text()),
    method: z.optional(method()),
    ...values,
    new_secret: z.optional(wire.flag()),
    row_version: z.optional(wire.integer()),
  }),
  output: z.object({ secret: z.optional(z.string()) }),
  errors: [...faults, 'INVALID_INTEGER', 'STALE'],
})

export const webhookDelete = defineCall({
  path: 'webhook/delete',
  summary: 'Deletes a webhook that no routing rule calls.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'editWebhooks' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['IN_USE'],
})

export const webhookTest = defineCall({
  path: 'webhook/test',
  once: {},
  ours: true,
  summary: 'Calls a webhook with a test event, that names no study.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'editWebhooks' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['LOCKOUT'],
})

export const webhookTrigger = defineCall({
  path: 'webhook/trigger',
  once: {},
  summary:
    'Calls a webhook for one study of its account, as a routing rule would, and puts it on record with the study. NOT_FOUND for a study that the caller may not view.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'editWebhooks' },
  input: z.object({ uuid: wire.id(), study_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['LOCKOUT'],
})

const attemptObject = z.object({
  number: z.number(),
  at: z.string(),
  /** Status of the answer; 0 where there was none. */
  status: z.number(),
  /** Code of the failure, empty for an answer of 2xx. */
  error: z.string(),
  milliseconds: z.number(),
})
const deliveryObject = z.object({
  uuid: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'done', 'failed']),
  study_id: z.nullable(z.string()),
  route_name: z.string(),
  created: z.string(),
  attempts: z.array(attemptObject),
})
export type WebhookDelivery = z.infer<typeof deliveryObject>

export const webhookDeliveries = defineCall({
  path: 'webhook/deliveries',
  ours: true,
  reads: true,
  summary: 'Lists the calls of a webhook with all attempts, the latest first.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'administerWebhooks' },
  list: {
    object: 'delivery',
    rowsKey: 'deliveries',
    filters: { state: 'exact', created: 'stamp' },
    sorts: ['created'],
    defaultRows: 50,
  },
  input: z.object({ uuid: wire.id() }),
  output: z.object({ deliveries: z.array(deliveryObject), page: wire.page }),
  errors: [],
})

export const webhookTryAgain = defineCall({
  path: 'webhook/retry',
  once: {},
  ours: true,
  summary: 'Tries a call of a webhook again that failed for good.',
  on: { kind: 'account', by: ['uuid'], owner: 'webhook', may: 'editWebhooks' },
  input: z.object({ uuid: wire.id(), delivery_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['LOCKOUT', 'ALREADY_EXISTS'],
})
