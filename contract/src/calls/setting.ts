import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

export const settingGet = defineCall({
  path: 'setting/get',
  reads: true,
  summary:
    "Reads one of the caller's settings, or of user_id where the caller administers every account of that person; an unset one is empty.",
  on: { kind: 'caller' },
  asks: { 'another person': 'administerUsers' },
  input: z.object({ key: wire.text(), user_id: z.optional(wire.id()) }),
  output: z.object({ value: z.string() }),
  errors: [],
})

export const settingSet = defineCall({
  path: 'setting/set',
  summary:
    'Keeps a setting for the caller, or for user_id where the caller administers every account of that person; a key that begins with temp_ lives as long as the session and is the caller’s own alone, the value __DELETE__ removes.',
  on: { kind: 'caller' },
  asks: { 'another person': 'editUsers' },
  input: z.object({ key: wire.text(), value: wire.clearableAnyText(), user_id: z.optional(wire.id()) }),
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
