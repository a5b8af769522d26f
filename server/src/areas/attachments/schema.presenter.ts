import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { StoredAttachment } from './attachment.sql.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'

/** The storage API's description of a study: its series, images and attachments. */
export function presentSchema(
  record: Pick<StudyRecord, 'study_uid' | 'phi_namespace' | 'phi_version'>,
  storageNamespace: string,
  series: readonly StoredSeries[],
  instances: readonly StoredInstance[],
  attachments: readonly StoredAttachment[],
  isExtended: boolean,
) {
  const bySeries = Map.groupBy(instances, (instance) => instance.series_uid)
  return {
    namespace: storageNamespace,
    study_uid: record.study_uid,
    series: series.map((one) => ({
      series_uid: one.series_uid,
      modality: one.modality,
      series_number: one.series_number,
      series_description: one.description,
      series_date: one.series_date,
      series_time: one.series_time,
      body_part: one.body_part,
      image_count: one.image_count,
      size: one.size,
      images: (bySeries.get(one.series_uid) ?? []).map((instance) => presentImage(instance, isExtended)),
    })),
    attachments: attachments.map((one) => ({ ...presentAttachment(one), phi_namespace: record.phi_namespace })),
    ...(isExtended ? { phi_version: record.phi_version } : {}),
  }
}

function presentImage(instance: StoredInstance, isExtended: boolean) {
  return {
    id: instance.sop_uid,
    version: instance.version,
    frame_count: instance.frames,
    instance_number: instance.instance_number,
    sop_class_uid: instance.sop_class,
    rows: instance.rows,
    columns: instance.columns,
    ...(isExtended
      ? { transfer_attributes: { transfer_syntax_uid: instance.transfer_syntax, size: instance.length } }
      : {}),
  }
}

/** `stored` is in epoch milliseconds. */
export function presentAttachment(attachment: StoredAttachment) {
  const { id, version, filename, length, stored } = attachment
  return { id, version, filename, size: length, stored: stored.getTime() }
}
