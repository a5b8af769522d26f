import * as z from 'zod/mini'

export const designations = ['CLOUD', 'LIBRARY', 'GATEKEEPER'] as const
export type Designation = (typeof designations)[number]

/**
 * From where on a second person confirms the patient before a nominated study is sent: never, where the patient of the
 * images and the one that the study leaves under look like two people, where nobody can be certain, or always.
 */
export const riskLines = ['NONE', 'DIFFERENT', 'LIKELY', 'ALL'] as const
export type RiskLine = (typeof riskLines)[number]

/**
 * How a group's inbox works: JSON in the namespace setting `inbox_config` (A§3). The configuration is returned inside
 * `settings` of `user/namespace/list` and of `namespace/settings`.
 */
export const inboxConfig = z.looseObject({
  group_designation: z.enum(designations),
  /** State names to show, in order; empty shows all that the designation has. */
  active_study_filters: z._default(z.array(z.string()), []),
  /** Gatekeeper groups that a cloud group may nominate to, by group uuid. */
  pacs_promote_groups: z._default(z.array(z.string()), []),
  /** Custom fields that the nomination form asks for, by uuid. */
  pacs_form_customfields: z._default(z.array(z.string()), []),
  pacs_promote_preference: z._default(z.enum(['MWL', 'CFIND', 'NONE']), 'NONE'),
  /** Destinations that a gatekeeper group may push to, by uuid. */
  pushable_destinations: z._default(z.array(z.string()), []),
  /** Ours, of a gatekeeper group. */
  risk_line: z._default(z.enum(riskLines), 'NONE'),
  /** Ours, of a gatekeeper group: values of the priority, the default first, the most urgent last; `prioritiesOf` reads them. */
  priority_values: z.optional(z.array(z.string())),
  /** Names of the group's own custom fields by what they hold, e.g. `priority`, `rejected`. */
  meta_info_customfields: z._default(z.record(z.string(), z.string()), {}),
})
export type InboxConfig = z.infer<typeof inboxConfig>

/** Views of a group in the left navigation, in order (A§2; libraries: decided in the design). */
export const studyStates = {
  CLOUD: ['Inbox', 'Shared', 'Shared w/ group', 'Deleted', 'Pending Requests'],
  LIBRARY: ['Inbox', 'Shared w/ group', 'Deleted', 'Pending Requests'],
  GATEKEEPER: ['Nominations', 'Queued', 'Rejected', 'Completed', 'Failed'],
} as const satisfies Record<Designation, readonly string[]>
export type StudyState = (typeof studyStates)[Designation][number]
