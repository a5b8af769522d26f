import type * as z from 'zod/mini'
import type { Act } from './acts.ts'
import type { commonErrors, ErrorCode, listErrors } from './errors.ts'
import type { ListRules } from './list.ts'

/** Things that belong to an account and are named by their own uuid. */
export type OwnedByAccount =
  | 'customfield'
  | 'destination'
  | 'imaging_order'
  | 'namespace'
  | 'node'
  | 'order_step'
  | 'waiting_report'
  | 'role'
  | 'routing_rule'
  | 'webhook'

/**
 * Whom a call acts on, and the act that the caller must be allowed there (`acts.ts`). The server decides before the
 * handler runs, so a handler is given what it may touch and nothing else. `by` names the input fields that identify it.
 *
 * - anyone: no session needed. caller: any session; acts on the caller's own things.
 * - account, group, namespace: the object named by one of `by`; the caller belongs to it and may do the act.
 *   With `owner`, `by` names a thing of that kind, and the account is the one it belongs to; of a search at a destination,
 *   the namespace that studies are fetched for. A namespace is named by its own uuid or by that of the account, group
 *   or location that owns it. An account is opened as well by who may do `mayInPlace` in a place of it, where the call names
 *   that act; the handler answers for such places alone. With `elseAccountOf` and none of `by`, `uuid` names a thing of that kind, and the namespace
 *   is that of its account. A location is a group of its own kind, with `of`.
 * - user: a person of one of the caller's accounts; the act must be allowed in an account of both.
 * - study: a study record by uuid, or by study_uid + storage_namespace + phi_namespace. Deleted ones are not found,
 *   unless `deletedToo`, and then by who may delete.
 * - link: a link by `uuid`, or what links are for: a study by `study_id`, where the caller may do `may`; a namespace by
 *   `namespace_id`, or those of an account by `account_id`, where the caller may do `mayInPlace`. Only one of them is named.
 * - studies: every record the caller may see, as a scope for lists.
 * - system: the installation, for people with the flag; a system administrator has that of supporters, too.
 */
export type Subject =
  | { kind: 'anyone' }
  | { kind: 'caller' }
  | { kind: 'account'; by: readonly string[]; may: Act; mayInPlace?: Act; owner?: OwnedByAccount }
  | { kind: 'group'; by: readonly string[]; may: Act; of?: 'location' }
  | { kind: 'user'; by: readonly string[]; may: Act }
  | { kind: 'namespace'; by: readonly string[]; may: Act; owner?: 'destination_search'; elseAccountOf?: 'destination' }
  | { kind: 'study'; by: readonly string[]; may: Act; deletedToo?: true }
  | { kind: 'link'; by: readonly ('uuid' | 'study_id' | 'namespace_id' | 'account_id')[]; may: Act; mayInPlace: Act }
  | { kind: 'studies' }
  | { kind: 'system'; flag: 'sysadmin' | 'support' }

interface Call<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Code extends ErrorCode = ErrorCode,
  On extends Subject = Subject,
> {
  /** Path below `api/v3`, e.g. `study/list`. */
  path: string
  /** One sentence for the API page. */
  summary: string
  /** Parameters may not stand in an address: the call answers 405 to GET. Five public calls, and some of ours. */
  postOnly?: boolean
  /**
   * Changes nothing. Parameters that a reading call does not know are passed over, as the public API does; a call that
   * writes refuses them, so that nobody takes a change for made that was not.
   */
  reads?: true
  /**
   * Makes, mails or sends what another request of its kind would make, mail or send again: takes `idempotency_key`, under
   * which it is done once. `timed` are the parameters that count from now, which differ where the same is sent again.
   */
  once?: { timed?: readonly string[] }
  /** Takes values of custom fields, as `customfield-{uuid}`. */
  takesCustomFields?: true
  /** Takes single permissions of a role, as `permission_{name}`. */
  takesPermissions?: true
  /** Takes single settings, as `setting_{name}`, and refuses unknown ones with INVALID_SETTING. */
  takesSettings?: true
  on: On
  /**
   * Acts that the handler asks for besides, each by the part of the call that takes it: an input, or a word for what is
   * sent by several (`fields`), for a way (`email`) or for whom it goes to (`user`).
   */
  decides?: Readonly<Record<string, Act>>
  /** Acts that the handler asks for besides in a case of whom or what it concerns, each by that case in words for people. */
  asks?: Readonly<Record<string, Act>>
  input: Input
  output: Output
  errors: readonly Code[]
  list?: ListRules
  /** True where the public v3 API has no such call. */
  ours?: boolean
}

export type AnyCall = Call<z.ZodMiniType, z.ZodMiniType, ErrorCode, Subject>
export type InputOf<C extends AnyCall> = z.infer<C['input']>
/** The input as a client sends it: the same fields before flags and numbers were read. */
export type SentOf<C extends AnyCall> = z.input<C['input']>
export type OutputOf<C extends AnyCall> = z.infer<C['output']>
export type ErrorOf<C extends AnyCall> =
  | C['errors'][number]
  | (typeof commonErrors)[number]
  | (C extends { list: ListRules } ? (typeof listErrors)[number] : never)

/** A call but for the acts by its input and by cases, whose names each call has for itself. */
type Declared<I extends z.ZodMiniType, O extends z.ZodMiniType, E extends ErrorCode, S extends Subject> = Omit<
  Call<I, O, E, S>,
  'decides' | 'asks'
>

/** Declares a call: the one source of its parsing, handler type, permitted codes, client, form schema and API page. */
/* @__NO_SIDE_EFFECTS__ */
export function defineCall<
  I extends z.ZodMiniType,
  O extends z.ZodMiniType,
  const E extends ErrorCode,
  const S extends Subject,
  L extends ListRules | undefined = undefined,
  const D extends Readonly<Record<string, Act>> | undefined = undefined,
  const A extends Readonly<Record<string, Act>> | undefined = undefined,
>(
  call: Declared<I, O, E, S> & { list?: L; decides?: D; asks?: A },
): Declared<I, O, E, S> & { list: L; decides: D; asks: A } {
  // a call without list rules, or without acts by its input or by cases, has them undefined
  return call as Declared<I, O, E, S> & { list: L; decides: D; asks: A }
}

/** The address of a call on its own host. */
export function addressOfCall({ path }: Pick<AnyCall, 'path'>): string {
  return `/api/v3/${path}`
}
