import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/*
 * The rules of sharing of the public API as connections: an account may share with another once both have said so. Within
 * an account the permissions of roles decide (docs/decisions/0168).
 */

const types = wire.oneOf(['account'], 'INVALID_TYPE')
const rule = {
  account_id: wire.id(),
  by_type: types,
  /** The account itself. */
  by_id: wire.id(),
  with_type: types,
  with_id: wire.id(),
}
const errors = ['BY_NOT_FOUND', 'INVALID_TYPE', 'WITH_NOT_FOUND'] as const

export const accountCanShare = defineCall({
  path: 'account/can/share',
  summary:
    'Lets people of the account share with another account (by_type and with_type account alone; by_id is the account itself): one that has asked for it is connected, one that the caller belongs to as well is asked. Any other is WITH_NOT_FOUND, and is asked by name: account/connect/ask. Done again it changes nothing.',
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object(rule),
  output: wire.statusOnly,
  errors: [...errors, 'LOCKOUT'],
})

export const accountCanShareStop = defineCall({
  path: 'account/can/share/stop',
  summary:
    'Ends the connection with another account, or takes the asking back, as account/connect/end: what was sent stays until its sender stops it.',
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object(rule),
  output: wire.statusOnly,
  errors,
})

export const accountCanShareList = defineCall({
  path: 'account/can/share/list',
  reads: true,
  summary: 'Lists with whom people of the account may share: the accounts that are connected with it.',
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    rules: z.array(
      z.object({
        by_type: z.literal('account'),
        by_id: z.string(),
        by_name: z.string(),
        with_type: z.literal('account'),
        with_id: z.string(),
        with_name: z.string(),
      }),
    ),
  }),
  errors: [],
})
