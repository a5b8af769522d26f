import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'

/**
 * Why a copy of images of another organisation cannot be kept: one that they come from does not allow it, or the record has
 * images of its own already, among which nobody could tell the copies later.
 */
export const copyRefusals = ['allow_copies', 'own_images'] as const
export type CopyRefusal = (typeof copyRefusals)[number]

export const studyDuplicate = defineCall({
  path: 'study/duplicate',
  once: {},
  summary:
    'Keeps a copy of a study that came by a share: its images become those of the record itself and stay when sharing ends. namespace_id is that of the record. Again brings what has come since. Of an exam that another organisation sent, or that came through others, each of them allows copies by its setting allow_copies; otherwise NOT_PERMITTED with subtype allow_copies; it is NOT_PERMITTED with subtype own_images where the record has images of its own besides. PHANTOM while images are still arriving; ALREADY_EXISTS for a study that no share gave.',
  on: { kind: 'study', by: ['uuid'], may: 'duplicateStudy' },
  input: z.object({ uuid: byUuid.uuid, namespace_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['ALREADY_EXISTS', 'NO_DESTINATION', 'PHANTOM'],
})
