import { prioritiesOf } from '@hilum/contract/gate-fields'
import { readShareSettings } from '@hilum/contract/share-settings'
import { t } from '../../../labels/label.ts'
import type { PlaceDetail, PlaceValues } from '../../../queries/account-groups.ts'
import { fieldValues } from '../../../queries/field-parameters.ts'

/** Fields that saving the form would replace. */
export const seenFields = [
  'name',
  'must_approve',
  'must_approve_upload',
  'must_approve_harvest',
  'no_share',
  'share_code',
  'share_description',
  'share_settings',
  'role_id',
  'inbox_config',
  'dicom_ae_title',
  'dicom_allowed_peers',
  'dicom_query_peers',
  'dicom_worklist_peers',
  'hl7_senders',
] as const

export function placeValuesOf(place: PlaceDetail | undefined): PlaceValues {
  const config = place?.inbox_config
  return {
    placeId: place?.uuid,
    name: place?.name ?? '',
    designation: place?.group_designation ?? 'CLOUD',
    states: config?.active_study_filters ?? [],
    roleId: place?.role_id ?? '',
    shareCode: place?.share_code ?? '',
    shareDescription: place?.share_description ?? '',
    approves: place?.must_approve === 1,
    approvesUploads: place?.must_approve_upload === 1,
    approvesHarvests: place?.must_approve_harvest === 1,
    takesNoShares: place?.no_share === 1,
    taking: readShareSettings(place?.share_settings),
    storedSettings: storedSettings(place?.share_settings),
    promotesTo: config?.pacs_promote_groups ?? [],
    preference: config?.pacs_promote_preference ?? 'NONE',
    formFields: config?.pacs_form_customfields ?? [],
    pushable: config?.pushable_destinations ?? [],
    riskLine: config?.risk_line ?? 'NONE',
    priorities: [...prioritiesOf(config)],
    aeTitle: place?.dicom_ae_title ?? '',
    senders: place?.dicom_allowed_peers ?? [],
    askers: place?.dicom_query_peers ?? [],
    modalities: place?.dicom_worklist_peers ?? [],
    orderSenders: place?.hl7_senders ?? [],
    fields: fieldValues(place),
    seen: undefined,
  }
}

/** A new place that works as another one: it takes in nothing from outside before it has a share code and an AE title of its own. */
export function copyOf(values: PlaceValues): PlaceValues {
  return {
    ...values,
    placeId: undefined,
    name: t('groups.copyName', { name: values.name }),
    shareCode: '',
    aeTitle: '',
    taking: { ...values.taking, takesUploads: false },
  }
}

const storedSettings = (stored: unknown): Record<string, unknown> =>
  typeof stored === 'object' && stored !== null ? { ...stored } : {}
