import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
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
