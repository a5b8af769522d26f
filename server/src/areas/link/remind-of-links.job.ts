import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { linksEndMail } from '../mail/link-mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { publicAddress, screenAt } from '../mail/public-address.ts'
import { linkAddress } from './link.presenter.ts'
import { mailLink } from './mail-link.command.ts'
import { type EndingLinkRow, takeEndingLinks } from './reminder.sql.ts'

const mostAtOnce = 500

type Reminding = Pick<Services, 'db' | 'config' | 'sealer'>

/** Reminds the holders of links and requests that end soon, each once, and tells whoever gave them. */
export const remindOfLinks = (services: Reminding): Promise<void> => remind(services, false)

/** The same for links and requests that live for hours alone: an hour would be too long to wait. */
export const remindOfShortLinks = (services: Reminding): Promise<void> => remind(services, true)

async function remind(services: Reminding, shortAlone: boolean): Promise<void> {
  // no request says by which address the installation is known
  const address = publicAddress(services.config, { host: '', isHttps: false })
  for (;;) {
    const ending = await services.db.transaction().execute(async (tx) => {
      const links = await takeEndingLinks(tx, mostAtOnce, shortAlone)
      for (const link of links) await remindHolder(tx, services, link, address)
      await tellGivers(tx, links, screenAt(address, '/account-settings/outside'))
      return links
    })
    if (ending.length < mostAtOnce) return
  }
}

async function remindHolder(
  tx: Tx,
  { sealer }: Pick<Services, 'sealer'>,
  link: EndingLinkRow,
  address: string,
): Promise<void> {
  const secret = link.email && link.sealed_secret ? sealer.open(link.sealed_secret, link.uuid) : undefined
  if (!secret) return
  await mailLink(tx, sealer, {
    uuid: link.uuid,
    url: linkAddress(address, secret),
    accountUuid: link.account_uuid,
    email: link.email,
    minutes: Math.max(1, link.minutes_left),
    asksBirthDate: link.asks_birth_date,
    asksPassword: link.asks_password,
    isRequest: link.is_request,
    isReminder: true,
  })
}

/** One mail to each person, for the links of each account. */
async function tellGivers(tx: Tx, links: readonly EndingLinkRow[], address: string): Promise<void> {
  const byGiver = Map.groupBy(
    links.filter((link) => link.giver_email !== null),
    (link) => `${link.account_uuid} ${link.giver_email}`,
  )
  for (const given of byGiver.values()) {
    const [{ account_uuid: accountUuid, giver_email: recipient } = {}] = given
    if (!accountUuid || !recipient) continue
    const counts = { all: given.length, unopened: given.filter((link) => !link.is_opened).length }
    await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...linksEndMail(address, counts) })
  }
}
