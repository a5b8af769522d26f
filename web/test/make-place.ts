import type { Place, PlaceMember } from '../src/queries/account-groups.ts'

/** A group or location as lists of them give it, with two people and no rules of its own. */
export function makePlace(uuid: string, name: string, given: Partial<Place> = {}): Place {
  return {
    uuid,
    name,
    account_id: 'a',
    namespace_id: `ns-${uuid}`,
    must_approve: 0,
    must_approve_upload: 0,
    must_approve_harvest: 0,
    must_approve_move: 0,
    no_share: 0,
    share_code: '',
    share_description: '',
    share_settings: {},
    role_id: '',
    role_name: '',
    tags: [],
    group_designation: 'CLOUD',
    user_count: 2,
    customfields: [],
    ...given,
  }
}

/** A person of a group or location who holds the role Staff by default. */
export function makePlaceMember(user_id: string, given: Partial<PlaceMember> = {}): PlaceMember {
  return {
    user_id,
    user_name: `User ${user_id}`,
    user_email: `${user_id}@clinic.example`,
    disabled: 0,
    role_id: '',
    role_name: '',
    held_role_id: 'r1',
    held_role_name: 'Staff',
    event_share: 0,
    event_harvest: 0,
    event_approve: 0,
    ...given,
  }
}
