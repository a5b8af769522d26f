import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/**
 * Ways by which somebody outside a place has access to it: a share with a person, a group, a location or a connected
 * account, a copy that a recipient kept and has still after the share, a link that shows a study, a request by which
 * studies are uploaded, and a share code.
 */
export const outsideKinds = ['user', 'group', 'location', 'account', 'copy', 'link', 'request', 'code'] as const
export type OutsideKind = (typeof outsideKinds)[number]

/** `exam`: the study as the recipient's role allows; `view` and `download`: by a link; `upload`: to send studies in. */
const outsideRights = ['exam', 'view', 'download', 'upload'] as const
export type OutsideRight = (typeof outsideRights)[number]

/** `scheduled` was not delivered yet, `waiting` shows nothing at present, `used` and `locked` links open for nobody new. */
const outsideStates = ['scheduled', 'waiting', 'open', 'used', 'locked'] as const
export type OutsideState = (typeof outsideStates)[number]

const outsideAccess = z.object({
  kind: z.enum(outsideKinds),
  /** The share or the link; of a copy its record, of a share code the place that it leads to. */
  uuid: z.string(),
  /** The user, group, location or account that a share went to; empty of links and codes. */
  who_id: z.string(),
  /** Name of the recipient, or the address that a link was mailed to; empty for whoever has the link or the code. */
  who: z.string(),
  /** Of a person. */
  user_email: z.string(),
  /** 1 where the recipient is outside the organisation, 0 where only outside the place. */
  is_outside: z.number(),
  namespace_id: z.string(),
  namespace_name: z.string(),
  /** The study and its patient, of a link to several one that is there: for those alone who may see it; empty for others, and where there is no study. */
  study_id: z.string(),
  patient_name: z.string(),
  study_description: z.string(),
  study_date: z.string(),
  /** Studies that a link shows and that are there; 1 of a share, 0 where there is none. */
  study_count: z.number(),
  /** Patients of those of its studies that the caller may see, each once, the one of `patient_name` first. */
  patient_names: z.array(z.string()),
  right: z.enum(outsideRights),
  /** 1 for a share whose recipient has a copy, which stays when the share ends. */
  has_copy: z.number(),
  /** 1 for a link that shows reports and attached files. */
  attachments: z.number(),
  state: z.enum(outsideStates),
  /** The person who gave the access; empty for a share code of a group or an account. */
  by_name: z.string(),
  is_own: z.number(),
  /** Null of a share code. */
  created: z.nullable(z.string()),
  /** Null where nothing ends the access. */
  expires_at: z.nullable(z.string()),
  /** The last time that the images were opened, or that somebody came by the link or the code. */
  used_at: z.nullable(z.string()),
  /** The caller may end the access by `outside/end`, or let it last longer. */
  may_end: z.number(),
  may_extend: z.number(),
  /** The caller may bring the access back after it was ended, by `link/set` or `study/share/stop` with restore. */
  may_restore: z.number(),
})
export type OutsideAccess = z.infer<typeof outsideAccess>

export const outsideList = defineCall({
  path: 'outside/list',
  reads: true,
  summary:
    'Lists what people outside a place or outside the account have access to at present: what the caller gave, or with everyone=1 all that anybody of the account gave, for those who administer the account. Studies are named to those alone who may see them.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'enterPlace' },
  decides: { everyone: 'administerAccount' },
  list: {
    object: 'access',
    rowsKey: 'accesses',
    filters: {
      kind: 'exact',
      who: 'text',
      namespace_name: 'text',
      by_name: 'text',
      state: 'exact',
      is_outside: 'flag',
      created: 'stamp',
      expires_at: 'stamp',
    },
    sorts: ['created', 'expires_at', 'who', 'namespace_name', 'by_name', 'kind'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id(), everyone: z.optional(wire.flag()) }),
  output: z.object({ accesses: z.array(outsideAccess), page: wire.page }),
  errors: ['INVALID_FLAG'],
})

export const outsideEnd = defineCall({
  path: 'outside/end',
  summary:
    'Ends a share, with everybody who has the study from its recipient, or revokes a link or a request: of what the caller gave, and for those who administer the account of what anybody of it gave. EXPIRED when it was over.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'enterPlace' },
  input: z.object({
    account_id: wire.id(),
    share_id: z.optional(wire.id()),
    link_id: z.optional(wire.id()),
  }),
  output: wire.statusOnly,
  errors: ['EXPIRED', 'INVALID_PARAMETERS'],
})
