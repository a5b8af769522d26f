import { ApiError } from '@hilum/contract/errors'
import { arePriorities } from '@hilum/contract/gate-fields'
import {
  type Designation,
  designations,
  type InboxConfig,
  inboxConfig,
  studyStates,
} from '@hilum/contract/inbox-config'
import { uuidForm } from '@hilum/contract/wire'
import type { PlaceKind } from './group.sql.ts'

/** The kind of object that the audit and custom fields name. */
export function auditType(kind: PlaceKind): 'Group' | 'Location' {
  return kind === 'group' ? 'Group' : 'Location'
}

/** A name without blanks at its ends. @throws ApiError MISSING_FIELDS, INVALID_FIELD */
export function readPlaceName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw new ApiError('MISSING_FIELDS', { subtype: ['name'] })
  return readWords('name', name)
}

/** Most characters of the texts of a place. */
const longest = { name: 100, share_code: 100, share_description: 500 }

/** @throws ApiError INVALID_FIELD for a text that is too long or holds control characters */
export function readWords(field: keyof typeof longest, sent: string): string {
  const text = sent.trim()
  if (text.length > longest[field] || /\p{Cc}/u.test(text)) throw new ApiError('INVALID_FIELD', { subtype: field })
  return text
}

const wrongConfig = () => new ApiError('INVALID_FIELD', { subtype: 'inbox_config' })

/** The designation that a new place is to have. @throws ApiError INVALID_FIELD */
export function designationIn(sent: Readonly<Record<string, unknown>> | undefined, kind: PlaceKind): Designation {
  const wanted = sent?.['group_designation']
  if (wanted === undefined) return 'CLOUD'
  const found = designations.find((one) => one === wanted)
  if (!found || (kind === 'location' && found === 'GATEKEEPER')) throw wrongConfig()
  return found
}

/** Longest configuration of an inbox, as JSON text. */
const longestConfig = 50_000

/**
 * The configuration of an inbox with the keys that were sent put over it.
 * @throws ApiError INVALID_FIELD for values of the wrong form (`priority_values` by its own name), and states that the designation does not have
 */
export function readInboxConfig(
  before: InboxConfig,
  sent: Readonly<Record<string, unknown>>,
  kind: PlaceKind,
): InboxConfig {
  const read = inboxConfig.safeParse({ ...before, ...sent })
  if (!read.success) throw wrongConfig()
  const config = read.data
  designationIn(config, kind)
  const states: readonly string[] = studyStates[config.group_designation]
  const isKnown = config.active_study_filters.every((one) => states.includes(one))
  const ids = [config.pacs_promote_groups, config.pacs_form_customfields, config.pushable_destinations].flat()
  const isShort = JSON.stringify(config).length <= longestConfig
  if (!isKnown || !isShort || !ids.every((one) => uuidForm.test(one))) throw wrongConfig()
  if (config.priority_values && !arePriorities(config.priority_values))
    throw new ApiError('INVALID_FIELD', { subtype: 'priority_values' })
  return config
}
