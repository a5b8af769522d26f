import * as z from 'zod/mini'

/** A user as `user/get` and `session/user` give it (ENTITY-04, ENTITY-13). */
export const userFields = z.object({
  uuid: z.string(),
  name: z.string(),
  first: z.string(),
  last: z.string(),
  email: z.string(),
  namespace_id: z.string(),
  sysadmin: z.number(),
  support: z.number(),
  is_anonymous: z.number(),
  is_proxy: z.number(),
  /** 1 where signing in asks for a second factor. */
  pin_required: z.number(),
  training_todo: z.number(),
  mobile_phone: z.string(),
  share_code: z.string(),
  share_description: z.string(),
  time_zone: z.string(),
  last_login: z.nullable(z.string()),
  terms_md5: z.string(),
  privacy_md5: z.string(),
  indicator_md5: z.string(),
  ui_json: z.unknown(),
})
export type User = z.infer<typeof userFields>
