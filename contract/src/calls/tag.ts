import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** Kinds of objects that can be tagged here. The public API knows more; they come with their parts of the product. */
const taggedObjects = ['Study'] as const

/** A tag and how often it stands on the newest studies of the caller's groups (ENTITY-12). */
const tagObject = z.object({ tag: z.string(), object: z.enum(taggedObjects), count: z.number() })

export const tagList = defineCall({
  path: 'tag/list',
  reads: true,
  summary: 'Lists the tags in use where the caller may look, the most used first.',
  on: { kind: 'studies' },
  list: {
    object: 'tag',
    rowsKey: 'tags',
    filters: { tag: 'text', namespace_id: 'uuid' },
    sorts: ['tag'],
    defaultRows: 100,
  },
  input: z.object({ object: wire.oneOf(taggedObjects, 'INVALID_OBJECT') }),
  output: z.object({ tags: z.array(tagObject), page: wire.page }),
  errors: ['INVALID_OBJECT'],
})

/** Most letters of a tag. */
export const maxTagLength = 100

const oneTag = {
  tag: wire.text(),
  object: wire.oneOf(taggedObjects, 'INVALID_OBJECT'),
  object_id: wire.id(),
}

export const tagAdd = defineCall({
  path: 'tag/add',
  summary: 'Adds a tag to a study; one that is there already, in whatever case, stays as it is.',
  on: { kind: 'study', by: ['object_id'], may: 'tagStudy' },
  input: z.object(oneTag),
  output: wire.statusOnly,
  errors: ['INVALID_OBJECT', 'INVALID_FIELD'],
})

export const tagDelete = defineCall({
  path: 'tag/delete',
  summary: 'Takes a tag off a study.',
  on: { kind: 'study', by: ['object_id'], may: 'tagStudy' },
  input: z.object({ ...oneTag, tag: wire.anyText() }),
  output: wire.statusOnly,
  errors: ['INVALID_OBJECT', 'INVALID_FIELD'],
})
