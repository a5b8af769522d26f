import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

export const groupObject = z.object({
  uuid: z.string(),
  name: z.string(),
  account_id: z.string(),
  namespace_id: z.string(),
  must_approve: flagOut,
  must_approve_upload: flagOut,
  must_approve_harvest: flagOut,
  must_approve_move: flagOut,
  no_share: flagOut,
  share_code: z.string(),
  share_description: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  tags: z.array(z.string()),
})

export const groupList = defineCall({
  path: 'group/list',
  reads: true,
  summary: "Lists an account's groups: all of them with group_view, else the caller's own.",
  on: { kind: 'account', by: ['account_id'], may: 'enterPlace' },
  list: {
    object: 'group',
    rowsKey: 'groups',
    filters: { uuid: 'uuid', name: 'text', namespace_id: 'uuid' },
    sorts: ['name'],
    defaultRows: 1000,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ groups: z.array(groupObject), page: wire.page }),
  errors: [],
})

export const groupGet = defineCall({
  path: 'group/get',
  reads: true,
  summary: 'Reads a group that the caller belongs to, or any of the account with group_view.',
  on: { kind: 'group', by: ['uuid'], may: 'seeGroup' },
  input: z.object({ uuid: wire.id() }),
  output: groupObject,
  errors: [],
})
