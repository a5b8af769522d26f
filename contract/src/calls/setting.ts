import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

export const settingGet = defineCall({
  path: 'setting/get',
  reads: true,
  summary: "Reads one of the caller's settings; an unset one is empty. user_id can only be the caller's own.",
  on: { kind: 'caller' },
  input: z.object({ key: wire.text(), user_id: z.optional(wire.id()) }),
  output: z.object({ value: z.string() }),
  errors: [],
})

export const settingSet = defineCall({
  path: 'setting/set',
  summary:
    'Keeps a setting for the caller; a key that begins with temp_ lives as long as the session, the value __DELETE__ removes. user_id can only be the caller’s own.',
  on: { kind: 'caller' },
  input: z.object({ key: wire.text(), value: wire.clearableText(), user_id: z.optional(wire.id()) }),
  output: wire.statusOnly,
  errors: ['INVALID_SETTING_VALUE'],
})

export const settingGetAll = defineCall({
  path: 'setting/get/all',
  reads: true,
  summary: "Reads all of the caller's settings but the temporary ones.",
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({ settings: z.record(z.string(), z.string()) }),
  errors: [],
})
