import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

export const settingGet = defineCall({
  path: 'setting/get',
  summary: "Reads one of the caller's settings; an unset one is empty.",
  on: { kind: 'caller' },
  input: z.object({ key: wire.text() }),
  output: z.object({ value: z.string() }),
  errors: [],
})

export const settingSet = defineCall({
  path: 'setting/set',
  summary:
    'Keeps a setting for the caller; a key that begins with temp_ lives as long as the session, the value __DELETE__ removes.',
  on: { kind: 'caller' },
  input: z.object({ key: wire.text(), value: wire.clearableText() }),
  output: wire.statusOnly,
  errors: ['INVALID_SETTING_VALUE'],
})

export const settingGetAll = defineCall({
  path: 'setting/get/all',
  summary: "Reads all of the caller's settings but the temporary ones.",
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({ settings: z.record(z.string(), z.string()) }),
  errors: [],
})
