import type { tagAdd } from '@hilum/contract/calls/tag'
import type { Handler } from '../handler.ts'
import { changeTags, isSameTag, readTag } from './change-tags.command.ts'

/** Most tags of one study, so that a client gone wrong cannot make a record that nobody can show. */
const maxTagsPerStudy = 100

export const add: Handler<typeof tagAdd> = async ({ services, input, caller, on, fail }) => {
  const tag = readTag(input.tag)
  await changeTags(services, caller, on, (tags) => {
    if (tags.some((one) => isSameTag(one, tag))) return tags
    if (tags.length >= maxTagsPerStudy) throw fail('INVALID_FIELD', { subtype: 'tag' })
    return [...tags, tag]
  })
  return {}
}
