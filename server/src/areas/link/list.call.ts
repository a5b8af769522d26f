import type { linkList } from '@hilum/contract/calls/link'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { publicAddress } from '../mail/public-address.ts'
import { listLinks } from './link-list.sql.ts'
import { presentLink } from './link.presenter.ts'
import { givesDownload, mayKnowAddress } from './link-values.policy.ts'

const columns = {
  uuid: { kind: 'uuid', column: sql.ref('l.uuid') },
  email: { kind: 'text', column: sql.ref('l.email') },
  created: { kind: 'stamp', column: sql.ref('l.created') },
} as const

export const list: Handler<typeof linkList> = async ({ services, list: query, caller, on, origin }) => {
  const question = listSql(query, columns, caller.timeZone, sql`l.created desc, l.uuid`)
  const { rows, page } = toPage(await listLinks(services.db, on.record, question), query)
  const address = publicAddress(services.config, origin)
  return {
    links: rows.map((row) => {
      const isKnown = mayKnowAddress(on.membership, givesDownload(row.permissions))
      return presentLink(row, services.sealer, isKnown ? address : undefined)
    }),
    page,
  }
}
