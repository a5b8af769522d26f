import type { Account } from '@hilum/contract/calls/account'
import { vanityOf } from './vanity.ts'

/** Setting of a person of several organisations: the one that was chosen last. */
export const lastAccountKey = 'last_account'

/**
 * The organisation in which somebody begins who belongs to these: the one whose host name the address has, the one that
 * the person chose last, the one in which the login was made, else the first. Another organisation that takes the
 * person in changes none of it. Who has chosen none yet is asked.
 */
export function beginAccount(
  accounts: readonly Account[],
  { settings, homeUuid }: { settings: Readonly<Record<string, string>>; homeUuid: string },
): { account: Account | undefined; isChosen: boolean } {
  const host = vanityOf(location)?.toLowerCase()
  const isOfHost = ({ vanity }: Account) => host !== undefined && namesIn(vanity).includes(host)
  const ofUuid = (wanted: string | undefined) => accounts.find(({ uuid }) => uuid === wanted)
  const chosen = accounts.find(isOfHost) ?? ofUuid(settings[lastAccountKey])
  return { account: chosen ?? ofUuid(homeUuid) ?? accounts[0], isChosen: chosen !== undefined || accounts.length < 2 }
}

const namesIn = (vanity: string) => vanity.toLowerCase().replaceAll(' ', '').split(',')
