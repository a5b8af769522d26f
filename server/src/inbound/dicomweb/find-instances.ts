import type { StudyAccess } from '../../access/study-access.ts'
import type { StoredInstance } from '../../areas/storage/instance.sql.ts'
import { findImage, listImages } from '../../areas/storage/record-images.sql.ts'
import type { Services } from '../../services.ts'
import { DicomwebError } from './answer-errors.ts'

/** An opened study, and what of it the address names. */
interface Asked {
  access: StudyAccess
  params: { readonly series?: string; readonly instance?: string }
}

/** All instances of the study, series or instance that a request names. @throws DicomwebError 404 when there is none */
export async function findInstances(
  { db }: Services,
  { access: { record }, params: { series, instance } }: Asked,
): Promise<[StoredInstance, ...StoredInstance[]]> {
  const [first, ...more] = await listImages(db, record, {
    ...(series ? { seriesUids: [series] } : {}),
    ...(instance ? { sopUids: [instance] } : {}),
  })
  if (!first) throw new DicomwebError(404, 'There is nothing of this name here')
  return [first, ...more]
}

/** The instance that a request names, through the record of its study. @throws DicomwebError 404 */
export async function findInstance({ db }: Services, { access: { record }, params }: Asked): Promise<StoredInstance> {
  const instance = await findImage(db, record, params.instance ?? '')
  if (!instance || instance.series_uid !== params.series) throw new DicomwebError(404, 'There is no such instance here')
  return instance
}
