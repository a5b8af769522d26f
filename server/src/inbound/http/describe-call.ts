import type { AnyCall } from '@hilum/contract/call'
import { commonErrors, type errors, listErrors } from '@hilum/contract/errors'
import { idempotencyKeyLength, rememberedActHours } from '@hilum/contract/limits'
import { conditions, maxRows } from '@hilum/contract/list'
import { wireShapes } from '@hilum/contract/wire'
import * as z from 'zod/mini'

export type Json = Record<string, unknown>

/** The declared input and, of a list, its filters, sort, pages and fields. */
export function inputOf(call: AnyCall): Json {
  const made = jsonOf(call.input, 'input')
  const shape = 'shape' in call.input ? (call.input.shape as Record<string, z.ZodMiniType>) : {}
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.def.type !== 'optional')
  return {
    type: 'object',
    properties: {
      ...(made.properties as Json | undefined),
      ...listInputOf(call),
      ...(call.once ? keyInput : {}),
      ...topFields,
    },
    required,
    ...(call.reads ? {} : { additionalProperties: false }),
    ...(call.takesCustomFields
      ? {
          patternProperties: {
            '^customfield-': { type: 'string', description: 'A value of a custom field, by its uuid.' },
          },
        }
      : {}),
    ...(call.takesPermissions
      ? { patternProperties: { '^permission_': { description: 'A single permission of the role, by its name.' } } }
      : {}),
    ...(call.takesSettings
      ? { patternProperties: { '^setting_': { type: 'string', description: 'A single setting, by its name.' } } }
      : {}),
  }
}

function listInputOf(call: AnyCall): Json {
  if (!call.list) return {}
  const { filters, sorts, defaultRows, object, isCount, isReport, customFields } = call.list
  const hasRows = !isCount && !isReport
  const byField = customFields ? ['customfield-UUID'] : []
  const names = [...Object.entries(filters).map(([name, kind]) => `${name} (${kind})`), ...byField]
  return {
    ...(names.length > 0
      ? {
          'filter.FIELD.CONDITION': {
            type: 'string',
            description: `FIELD: ${names.join(', ')}. CONDITION: ${conditions.join(', ')}; lists of in and in_or_null as JSON.`,
            example: 'filter.patient_name.like=%doe%',
          },
        }
      : {}),
    ...(sorts.length > 0 && !isCount
      ? {
          sort_by: {
            type: 'string',
            description: `FIELD-asc or FIELD-desc, several by commas; FIELD: ${[...sorts, ...byField].join(', ')}.`,
            example: `${sorts[0]}-desc`,
          },
        }
      : {}),
    ...(names.length > 0
      ? { 'filter.tz': { type: 'string', description: 'Zone of dates: an Olson name.', example: 'Europe/Berlin' } }
      : {}),
    ...(hasRows ? pageInput(defaultRows) : {}),
    ...(!hasRows
      ? {}
      : {
          [`fields.${object}`]: {
            type: 'string',
            description: 'A JSON list of the fields to give back.',
            example: '["uuid"]',
          },
        }),
  }
}

const keyInput = {
  idempotency_key: {
    type: 'string',
    minLength: idempotencyKeyLength.least,
    maxLength: idempotencyKeyLength.most,
    description: `A random text. Under one key of a person the call is done once in ${rememberedActHours} hours: the same request gets the same answer, another one ANSWERED_BEFORE with other_values. The subtype no_answer says that it is not known whether it was done.`,
  },
}

const topFields = {
  'fields._top': { type: 'string', description: 'A JSON list of the top-level fields to give back.' },
}

function pageInput(defaultRows: number): Json {
  return {
    'page.rows': { type: 'integer', minimum: 1, maximum: maxRows, default: defaultRows },
    'page.number': { type: 'integer', minimum: 1, default: 1 },
    'page.total': { type: 'integer', enum: [0, 1], description: 'Count the rows of all pages, even of studies.' },
  }
}

export function outputOf(call: AnyCall): Json {
  const made = jsonOf(call.output, 'output')
  return { ...made, properties: { status: { type: 'string', const: 'OK' }, ...(made.properties as Json | undefined) } }
}

/** The codes that a call declares and those that any call of its kind may give. */
export function errorsOf(call: AnyCall): (keyof typeof errors)[] {
  const unknown = call.reads ? [] : (['INVALID_FIELD'] as const)
  const keyed = call.once ? (['ANSWERED_BEFORE'] as const) : []
  return [...new Set([...call.errors, ...commonErrors, ...unknown, ...keyed, ...(call.list ? listErrors : [])])].sort()
}

function jsonOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shape = wireShapes.get(zodSchema as unknown as z.ZodMiniType)
      if (shape) Object.assign(jsonSchema, shape.json)
    },
  }) as Json
  return made
}
