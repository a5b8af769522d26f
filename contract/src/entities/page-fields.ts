import * as z from 'zod/mini'

export const flagOut = z.number()
export const customField = z.object({
  uuid: z.string(),
  name: z.string(),
  type: z.string(),
  value: z.string(),
  required: flagOut,
  options: z.unknown(),
  ui_json: z.unknown(),
})
export type CustomField = z.infer<typeof customField>
