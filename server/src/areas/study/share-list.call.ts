import type { studyShareList } from '@hilum/contract/calls/study-share'
import type { Handler } from '../handler.ts'
import { listSentLinks } from '../link/sent-link.sql.ts'
import { listShareTargets, type ShareTargetRow } from './share-lists.sql.ts'

export const shareList: Handler<typeof studyShareList> = async ({ services, input, on }) => {
  const targets = await listShareTargets(services.db, on.record.uuid)
  const links = await listSentLinks(services.db, on.record.uuid)
  const of = (kind: ShareTargetRow['to_kind']) =>
    targets
      .filter((one) => one.to_kind === kind)
      .map(({ to_uuid: uuid, name }) => (input.name === 1 ? { uuid, name } : uuid))
  return {
    account_id: of('account'),
    location_id: of('location'),
    group_id: of('group'),
    user_id: of('user'),
    user_invite_share_id: links.map((one) => (input.name === 1 ? one : one.uuid)),
  }
}
