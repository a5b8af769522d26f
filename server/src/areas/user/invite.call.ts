import { mayDo } from '@hilum/contract/acts'
import type { GroupChoice } from '@hilum/contract/calls/account-user'
import { userInvite } from '@hilum/contract/calls/user-invite'
import { readOneAddress } from '@hilum/contract/mail-address'
import { joinAccount } from '../account/join-account.command.ts'
import type { Handler } from '../handler.ts'
import { demandOwnLink } from './own-link.ts'

export const inviteByEmail: Handler<typeof userInvite> = async (request) => {
  const { input, on, fail } = request
  const { groups, locations } = input
  if (groups && !mayDo(userInvite.decides.groups, on)) throw fail('NOT_PERMITTED', { subtype: 'groups' })
  if (locations && !mayDo(userInvite.decides.locations, on)) throw fail('NOT_PERMITTED', { subtype: 'locations' })
  demandOwnLink(request, 'link', input.link)
  demandOwnLink(request, 'link_already', input.link_already)
  const email = readOneAddress(input.email)
  const names = { first: input.first?.trim() ?? '', last: input.last?.trim() ?? '' }
  const { userUuid } = await joinAccount(request, {
    email,
    // the wire asks for no name: the person is called by the address until the profile says otherwise
    names: names.first || names.last ? names : { first: '', last: email.split('@')[0] ?? '' },
    roleUuid: input.role_id,
    groups: groups && toChoice(groups),
    locations: locations && toChoice(locations),
  })
  return { uuid: userUuid }
}

/** The hash of the wire as account/user/add has it. */
function toChoice(roleByPlace: Readonly<Record<string, string>>): GroupChoice {
  return Object.entries(roleByPlace).map(([uuid, role]) => ({ uuid, role_id: role }))
}
