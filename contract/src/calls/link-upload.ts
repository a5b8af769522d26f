import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { customField } from '../entities/page-fields.ts'
import { maxLinkStudies, maxSender } from '../limits.ts'
import * as wire from '../wire.ts'
import { expectedExam, expectedPatient } from './link.ts'

/*
 * Calls that the session of a request opens, a link to upload, and nobody else's. The calls find their asker
 * themselves, as `link/studies` does, and tell nothing of the namespace but what was sent by the link.
 */

export const linkRequest = defineCall({
  path: 'link/request',
  reads: true,
  summary:
    'Reads an opened request, with the sid of its session: for whom, by whom, for what, and what was sent so far. The patient is told behind a password alone.',
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({}),
  output: z.object({
    account_name: z.string(),
    /** Where the studies go. */
    namespace_name: z.string(),
    requested_by: z.string(),
    message: z.string(),
    /** Null where none was named, or no password was asked for. */
    expected: z.nullable(expectedPatient),
    /** Null where none was named. */
    expected_exam: z.nullable(expectedExam),
    sender: z.string(),
    /** Nobody asked: the sender knows the share code of the place. */
    by_share_code: z.number(),
    /** The sender is asked to say that the exams are the right ones. */
    confirm_before_upload: z.number(),
    /** Custom fields of exams that whoever sends by a share code fills in, without values. */
    customfields: z.array(customField),
    /** Pictures and PDF files are taken besides DICOM. */
    takes_files: z.number(),
    /** Bytes that may be stored in all, and those that still may. */
    max_bytes: z.number(),
    left_bytes: z.number(),
    /** Root of the UIDs of studies that such files become; empty for those from random UUIDs. */
    uid_root: z.string(),
    /** When the link ends. */
    expires_at: z.string(),
    studies: z.array(z.object({ study_uid: z.string(), image_count: z.number(), is_complete: z.number() })),
  }),
  errors: ['EXPIRED'],
})

export const linkUploadBegin = defineCall({
  path: 'link/upload/begin',
  summary: `Announces studies, at most ${maxLinkStudies}, before their images are uploaded by a request. sender names whoever sends, in at most ${maxSender} characters. Who sends by a share code sends the custom fields of link/request with each call, the required ones at least: each study gets them that the upload makes, and one that is there already does not. INVALID_CUSTOMFIELD with a sentence for each value that is not acceptable, or lacks.`,
  takesCustomFields: true,
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({
    studies: wire.json(z.array(z.object({ study_uid: z.string(), image_count: z.number() }))),
    sender: z.optional(wire.clearableText()),
  }),
  output: wire.statusOnly,
  errors: ['EXPIRED', 'INVALID_CUSTOMFIELD', 'INVALID_FIELD', 'INVALID_JSON'],
})

/** Images asked about in one call. */
export const maxLinkChecked = 2000

export const linkUploadCheck = defineCall({
  path: 'link/upload/check',
  reads: true,
  summary: `Tells of images of announced studies, at most ${maxLinkChecked}, whether they are there, by the SHA-256 of their bytes.`,
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({
    images: wire.json(
      z.array(
        z.object({
          study_uid: z.string(),
          sop_uid: z.string(),
          sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
        }),
      ),
    ),
  }),
  output: z.object({ verdicts: z.array(z.enum(['have', 'missing'])) }),
  errors: ['EXPIRED', 'INVALID_FIELD', 'INVALID_JSON'],
})

export const linkUploadEnd = defineCall({
  path: 'link/upload/end',
  summary: 'Says that all images of an announced study were sent by a request.',
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({ study_uid: wire.text() }),
  output: wire.statusOnly,
  errors: ['EXPIRED'],
})
