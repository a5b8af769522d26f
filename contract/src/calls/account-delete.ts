import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

export const accountDelete = defineCall({
  path: 'account/delete',
  summary:
    'Closes an account, by its administrator or a system administrator who has shown of late who sits there, once no study is left in its places, those of its people among them. Sessions, keys, links, requests, connections, rules and groups end, people without another account cannot sign in any more, and nothing of this can be undone; its audit stays, and so does what lies in its bin until it is purged. The last account of an installation is never closed, nor one that a system administrator or supporter belongs to alone.',
  postOnly: true,
  on: { kind: 'caller' },
  asks: { 'people of the account': 'administerAccount' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['NOT_EMPTY', 'PROOF_REQUIRED'],
})
