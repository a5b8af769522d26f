import type { studyDeidentifyKey } from '@hilum/contract/calls/study-deidentify'
import type { Handler } from '../handler.ts'
import { listCopies, secretOf } from '../nameless/nameless-copy.sql.ts'
import { uidsOf } from '../nameless/pseudonyms.ts'
import { listImages } from '../storage/record-images.sql.ts'

export const deidentifyKey: Handler<typeof studyDeidentifyKey> = async ({ services, input, on }) => {
  const { db, config } = services
  const { record } = on
  const copies = await listCopies(db, record.phi_namespace, record.uuid)
  if (copies.length === 0) return { images: [] }
  const uidOf = uidsOf(await secretOf(db, record.phi_namespace), input.recipient, config.uidRoot)
  const copyUid = uidOf(record.study_uid)
  if (!copies.some(({ copy_study_uid: made }) => made === copyUid)) return { images: [] }
  const images = await listImages(db, record)
  return {
    images: images.map(({ series_uid, sop_uid }) => ({
      series_uid,
      image_uid: sop_uid,
      copy_series_uid: uidOf(series_uid),
      copy_image_uid: uidOf(sop_uid),
    })),
  }
}
