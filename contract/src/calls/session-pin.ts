import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/*
 * The second factor: a code of an authenticator app (TOTP, RFC 6238), or one of the recovery codes. After session/login
 * with pin_required=1 the session opens nothing (401) until session/pin; with pin_via=setup, until pin/confirm.
 */

export const sessionPin = defineCall({
  path: 'session/pin',
  summary:
    'Gives the second factor of a session that waits for it: a code of the authenticator app, or a recovery code. Three tries, within ten minutes. With remember_device a page of this server is given a cookie with which this person passes without a code for 30 days; not for a recovery code.',
  // the session opens no call yet, so the handler reads the sid itself
  on: { kind: 'anyone' },
  input: z.object({
    sid: z.optional(wire.clearableText()),
    pin: wire.text(),
    remember_device: z.optional(wire.flag()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_FLAG', 'INVALID_SID', 'INVALID_PIN', 'PIN_EXPIRED', 'LOCKOUT'],
})

/** Days for which a device passes without a code. */
export const rememberedDays = 30

export const sessionDeviceList = defineCall({
  path: 'session/device/list',
  reads: true,
  summary: "Lists the caller's devices that pass without a second factor, the one used last first.",
  ours: true,
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({
    devices: z.array(
      z.object({
        device_id: z.string(),
        client_address: z.string(),
        user_agent: z.string(),
        created: z.string(),
        last_used: z.string(),
        expires_at: z.string(),
      }),
    ),
  }),
  errors: [],
})

export const sessionDeviceForget = defineCall({
  path: 'session/device/forget',
  summary:
    "Forgets one of the caller's devices, which has to give a second factor from then on; without device_id all.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ device_id: z.optional(wire.id()) }),
  output: wire.statusOnly,
  errors: [],
})

export const sessionPinBegin = defineCall({
  path: 'session/pin/begin',
  summary:
    'Makes a secret for an authenticator app, for the person of a session that is open or waits for a second factor to be set up. It is in force once session/pin/confirm was given a code of it.',
  ours: true,
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ sid: z.optional(wire.clearableText()) }),
  output: z.object({
    /** In base32, to be typed. */
    secret: z.string(),
    /** `otpauth://…`, to be shown as a QR code. */
    address: z.string(),
  }),
  errors: ['INVALID_SID', 'PROOF_REQUIRED'],
})

export const sessionPinConfirm = defineCall({
  path: 'session/pin/confirm',
  summary:
    'Puts the secret of session/pin/begin in force by a code of it, and opens a session that waited for that. The recovery codes are told this once.',
  ours: true,
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ sid: z.optional(wire.clearableText()), pin: wire.text() }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['INVALID_SID', 'INVALID_PIN', 'PIN_EXPIRED', 'PROOF_REQUIRED', 'LOCKOUT'],
})

export const sessionPinState = defineCall({
  path: 'session/pin/state',
  reads: true,
  summary: "Tells whether the caller's sign-in asks for a second factor.",
  ours: true,
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({
    is_on: flagOut,
    /** Empty while it is off. */
    since: z.string(),
    /** Recovery codes that are left. */
    recovery_codes: z.number(),
    /** 1 where one of the caller's accounts requires it. */
    is_required: flagOut,
  }),
  errors: [],
})

export const sessionPinCodes = defineCall({
  path: 'session/pin/codes',
  summary: 'Gives the caller new recovery codes, told this once, instead of those of before.',
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['NO_SECOND_FACTOR', 'PROOF_REQUIRED'],
})

export const sessionPinRemove = defineCall({
  path: 'session/pin/remove',
  summary: "Takes the second factor off the caller's sign-in, unless an account of the caller requires it.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({}),
  output: wire.statusOnly,
  errors: ['NO_SECOND_FACTOR', 'PROOF_REQUIRED'],
})

export const sessionProve = defineCall({
  path: 'session/prove',
  summary:
    'Proves anew who sits at the session: by the password, or, with a second factor, by a code of it. For 15 minutes that counts for what asks for it (PROOF_REQUIRED).',
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ password: z.optional(wire.anyText()), pin: z.optional(wire.text()) }),
  output: wire.statusOnly,
  errors: ['INVALID_PASSWORD', 'INVALID_PIN', 'LOCKOUT'],
})

export const userPinReset = defineCall({
  path: 'user/pin/reset',
  summary:
    'Takes the second factor off somebody who has lost it, and signs that person out. The caller administers every account of the person, who is told by mail.',
  ours: true,
  postOnly: true,
  on: { kind: 'user', by: ['uuid'], may: 'editUsers' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['PROOF_REQUIRED'],
})
