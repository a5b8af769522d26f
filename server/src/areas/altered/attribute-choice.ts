import type { QueryOf } from '@hilum/contract/route-parameters'
import type { attributeChoice } from '@hilum/contract/routes/storage-parameters'
import { StorageError } from '@hilum/contract/storage-errors'
import type { AttributeChoice } from '@hilum/dicom/attribute-list'
import { findTagByKeyword } from '@hilum/dicom/dictionary'
import { parseTag } from '@hilum/dicom/tags'

/** The parameters that choose attributes. */
type AttributeChoiceQuery = QueryOf<typeof attributeChoice>

/**
 * Attributes that a caller asked for: whole groups (`0008` and `0x8` in hexadecimal, `8` and `16` decimal), single tags
 * (`00080018` or keywords), only such as have a name. Without groups and tags, all.
 * @throws StorageError BAD_REQUEST
 */
export function readAttributeChoice(query: AttributeChoiceQuery): AttributeChoice {
  const groups = listOf(query.groups).map((text) => {
    if (/^(0x[0-9a-f]{1,4}|[0-9a-f]{4})$/i.test(text)) return Number.parseInt(text.replace(/^0x/i, ''), 16)
    if (/^\d{1,5}$/.test(text)) return Number(text)
    throw new StorageError('BAD_REQUEST', 'Groups are four hexadecimal digits, 0008,0010, or decimal numbers, 8,16')
  })
  const tags = listOf(query.include_tags).map((text) => {
    const tag = parseTag(text.replace(/[(),\s]/g, '')) ?? findTagByKeyword(text)
    if (tag === undefined) throw new StorageError('BAD_REQUEST', 'Tags are eight hexadecimal digits: 00080018')
    return tag
  })
  return { groups, tags, needsName: query.exclude_unnamed }
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
