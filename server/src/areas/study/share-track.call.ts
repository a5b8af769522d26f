import type { studyShareTrack } from '@hilum/contract/calls/study-share'
import type { Handler } from '../handler.ts'
import { listTracked } from './share-track.sql.ts'

export const shareTrack: Handler<typeof studyShareTrack> = async ({ services, on }) => ({
  sends: await listTracked(services.db, on.record.uuid),
  has_smtp: services.config.smtpUrl ? 1 : 0,
})
