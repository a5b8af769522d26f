import { accountGet } from '@hilum/contract/calls/account'
import { accountSet } from '@hilum/contract/calls/account-set'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { fieldsAsRead } from './field-parameters.ts'
import { putSession, readSession } from '../session/session-store.ts'

/** Fields of an account that are on or off, apart from its settings. */
const flagFields = ['must_approve', 'must_approve_upload', 'must_approve_harvest', 'no_share'] as const
type FlagField = (typeof flagFields)[number]

/** An organisation's description of itself; settings that are not stored are empty, and flags `1` or empty. */
export interface OrganisationSettings extends Record<FlagField, string> {
  name: string
  issuer: string
  /** Host names of its own, with commas between them. */
  vanity: string
  default_role_id: string
  other_issuers: string
  help_address: string
  link_minutes: string
  link_most_minutes: string
  link_reminder_hours: string
  upload_megabytes: string
  allow_copies: string
  brand_logo: string
  brand_color: string
  tag_colors: string
  inbox_allow_switch_between_modes: string
  share_description: string
  enable_dicom_wrapping: string
  auto_wrap_images: string
  /** Values of custom fields. */
  [field: `customfield-${string}`]: string
}

interface LoadedOrganisation {
  settings: OrganisationSettings
  fields: readonly CustomField[]
}

const key = 'organisation'

/** The organisation with its logo and colour, which lists of accounts leave out. */
export function organisationQuery(uuid: string) {
  return queryOptions({
    queryKey: [key, uuid],
    queryFn: async ({ signal }): Promise<LoadedOrganisation> => {
      const account = await callApi(accountGet, { uuid, brand_settings: 'logo,color' }, { signal })
      const { name, issuer, vanity, default_role_id, settings, customfields } = account
      const flag = (field: FlagField) => (account[field] === 1 ? '1' : '')
      const loaded: OrganisationSettings = {
        name,
        issuer,
        vanity: vanity.split(',').join(', '),
        default_role_id,
        other_issuers: settings['other_issuers'] ?? '',
        help_address: settings['help_address'] ?? '',
        link_minutes: settings['link_minutes'] ?? '',
        link_most_minutes: settings['link_most_minutes'] ?? '',
        link_reminder_hours: settings['link_reminder_hours'] ?? '',
        upload_megabytes: settings['upload_megabytes'] ?? '',
        allow_copies: settings['allow_copies'] ?? '',
        brand_logo: settings['brand_logo'] ?? '',
        brand_color: settings['brand_color'] ?? '',
        tag_colors: settings['tag_colors'] ?? '',
        inbox_allow_switch_between_modes: settings['inbox_allow_switch_between_modes'] ?? '',
        must_approve: flag('must_approve'),
        must_approve_upload: flag('must_approve_upload'),
        must_approve_harvest: flag('must_approve_harvest'),
        no_share: flag('no_share'),
        share_description: account.share_description ?? '',
        enable_dicom_wrapping: settings['enable_dicom_wrapping'] ?? '',
        auto_wrap_images: settings['auto_wrap_images'] ?? '',
        ...fieldsAsRead(account),
      }
      return { settings: loaded, fields: customfields }
    },
    staleTime: 5 * 60_000,
  })
}

/** A setting beside the form: names of authorities that are others'. */
interface BesideForm {
  outside_issuers?: string
}

interface OrganisationChange extends Partial<OrganisationSettings>, BesideForm {
  first_steps?: 'open' | 'dismissed'
  /** Changed fields as they were read. */
  seen?: (Partial<OrganisationSettings> & BesideForm) | undefined
}

const plainFields: readonly string[] = ['name', 'issuer', 'vanity', 'default_role_id', 'share_description']

/** Fields under the names of the call. */
function named(change: Partial<OrganisationSettings>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(change).map(([field, value]) => {
      if (plainFields.includes(field) || field.startsWith('customfield-')) return [field, value]
      return flagFields.some((one) => one === field) ? [field, Number(value)] : [`setting_${field}`, value]
    }),
  )
}

/** Saves what changed, then shows it everywhere: in the session, and in the header. What somebody else changed is read. */
export function useSaveOrganisation(uuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ seen, ...change }: OrganisationChange) => {
      const { default_role_id: role_id, ...changed } = named(change)
      const read = seen && named(seen)
      if (read?.['vanity']) read['vanity'] = String(read['vanity']).replaceAll(' ', '')
      await callApi(accountSet, { uuid, ...changed, ...(role_id ? { role_id: String(role_id) } : {}), seen: read })
      const { name: storedName, issuer: authority, settings: all } = await callApi(accountGet, { uuid })
      const state = readSession()
      if (state.status === 'established') {
        const account = { ...state.session.account, name: storedName, issuer: authority, settings: all }
        putSession({ status: 'established', session: { ...state.session, account } })
      }
      await client.invalidateQueries({ queryKey: [key, uuid] })
    },
    onError: (failure) =>
      failureCode(failure) === 'STALE' ? client.invalidateQueries({ queryKey: [key, uuid] }) : undefined,
  })
}
