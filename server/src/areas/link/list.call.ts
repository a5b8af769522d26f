import type { linkList } from '@hilum/contract/calls/link'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { linkColumns, listLinks, listRequests, newestLinks } from './link-list.sql.ts'
import { presentLink } from './link.presenter.ts'
import { membershipIn } from './link-place.policy.ts'

export const list: Handler<typeof linkList> = async ({ services, input, list: query, caller, on, origin }) => {
  const question = listSql(query, linkColumns, caller.timeZone, newestLinks)
  const found =
    on.kind === 'study'
      ? await listLinks(services.db, on.access.record, question)
      : await listRequests(
          services.db,
          on.places.map((one) => one.namespaceUuid),
          input.ended === undefined ? undefined : input.ended === 1,
          question,
        )
  const { rows, page } = toPage(found, query)
  const address = publicAddress(services.config, origin)
  return {
    links: rows.map((row) => presentLink(row, services, membershipIn(on, row.namespace_uuid), address)),
    page,
  }
}
