import type { tagDelete } from '@hilum/contract/calls/tag'
import type { Handler } from '../handler.ts'
import { changeTags, isSameTag, readTag } from './change-tags.command.ts'
import { forgetUnusedTag } from './tag.sql.ts'

export const remove: Handler<typeof tagDelete> = async ({ services, input, caller, on }) => {
  const tag = readTag(input.tag)
  await changeTags(
    services,
    caller,
    on,
    (tags) => tags.filter((one) => !isSameTag(one, tag)),
    async (tx, taken) => {
      for (const word of taken) await forgetUnusedTag(tx, on.record.phi_namespace, word)
    },
  )
  return {}
}
