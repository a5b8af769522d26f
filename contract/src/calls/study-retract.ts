import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { retraction } from '../entities/study.ts'
import { maxReason } from '../limits.ts'
import * as wire from '../wire.ts'
import { byTriplet, byUuid } from './study.ts'

export const studyRetract = defineCall({
  path: 'study/retract',
  summary: `Takes a study back everywhere it went: by shares and all that was passed on from them, copies that recipients kept, and links. The images stay, and study/revive shows everything again. Recipients are told. Whatever comes of the study again, at any of these places, waits there for approval. reason has at most ${maxReason} characters. Copies without names go with it: each that was made in its place is shown again by its own, those that recipients made come back with the study, or with the copy that they made it of. copies says how many. places says in how many other places the study and its copies were.`,
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'retractStudy' },
  input: z.object({ ...byUuid, ...byTriplet, reason: wire.text() }),
  output: z.object({ places: z.number(), copies: z.number() }),
  errors: ['INVALID_FIELD'],
})

/** Most studies that one upload asks about at once. */
export const maxUploadStudies = 1000

export const studyUploadRetracted = defineCall({
  path: 'study/upload/retracted',
  reads: true,
  summary: 'Tells which of these studies were taken back from this namespace: uploaded again, they wait for approval.',
  ours: true,
  on: { kind: 'namespace', by: ['namespace_id'], may: 'uploadStudy' },
  input: z.object({
    namespace_id: wire.id(),
    study_uids: wire.json(z.array(z.string()).check(z.maxLength(maxUploadStudies))),
  }),
  output: z.object({ studies: z.array(z.extend(retraction, { study_uid: z.string() })) }),
  errors: ['INVALID_JSON'],
})
