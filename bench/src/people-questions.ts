import { accountUserList } from '@hilum/contract/calls/account-user'
import { groupUserList } from '@hilum/contract/calls/group'
import { roleUserList } from '@hilum/contract/calls/role'
import { type Condition, conditions, type FieldKind, type ListRules } from '@hilum/contract/list'

/** List of people with its rules in the contract, and the place whose people they are. */
export type PeopleList = { name: string; path: string; uuid: string; list: ListRules }
/** Filters of one line of the results. */
type Asked = { what: string; inputs: readonly Record<string, unknown>[] }

type Place = { account: string; group: string; role: string; person: string }

export function peopleLists({ account, group, role }: Place): PeopleList[] {
  return [
    { name: 'people', path: accountUserList.path, uuid: account, list: accountUserList.list },
    { name: 'members of a group', path: groupUserList.path, uuid: group, list: groupUserList.list },
    { name: 'people of a role', path: roleUserList.path, uuid: role, list: roleUserList.list },
  ]
}

/** Orders in both directions: each that the contract declares. */
export function ordersOf({ sorts }: ListRules): string[] {
  return sorts.flatMap((field) => [`${field}-asc`, `${field}-desc`])
}

/**
 * Filters that find many, and some that find few, of each field that the contract declares.
 * @throws Error for a field that is new and has no values here
 */
export function narrowedBy(rules: ListRules, place: Place): Asked[] {
  return Object.entries(rules.filters).map(([field, kind]) => ({
    what: field,
    inputs: valuesOf(field, place).map(([condition, value]) => filter(field, kind, condition, value)),
  }))
}

/** Each condition that a field takes, with a value that finds many. */
export function byEachCondition(rules: ListRules, place: Place): Asked[] {
  return Object.entries(rules.filters).map(([field, kind]) => {
    const [[, value] = ['equals', '']] = valuesOf(field, place)
    return { what: field, inputs: takenBy(kind).map((condition) => filter(field, kind, condition, value)) }
  })
}

function filter(field: string, kind: FieldKind, condition: Condition, value: string): Record<string, unknown> {
  const isList = condition === 'in' || condition === 'in_or_null'
  // a part of a text is compared with whole ones as the text itself
  const sent = condition === 'like' || kind !== 'text' ? value : value.replaceAll('%', '')
  return { [`filter.${field}.${condition}`]: isList ? JSON.stringify([sent, sent]) : sent }
}

function takenBy(kind: FieldKind): Condition[] {
  const ordered = ['gt', 'ge', 'lt', 'le']
  if (kind === 'text' || kind === 'exact') return [...conditions]
  const isRange = kind === 'stamp'
  return conditions.filter((one) => one !== 'like' && (isRange || !ordered.includes(one)))
}

function valuesOf(field: string, { role, person }: Place): [Condition, string][] {
  switch (field) {
    case 'user_id':
      return [['equals', person]]
    case 'user_name':
    case 'user.first':
    case 'user.last':
    case 'user_email':
    case 'account_login':
      // two letters anywhere and at the beginning, and one that most have
      return [
        ['like', '%li%'],
        ['like', 'li%'],
        ['like', '%a%'],
      ]
    case 'role_id':
      return [['equals', role]]
    case 'role_name':
      return [
        ['like', '%e%'],
        ['like', '%xqz%'],
      ]
    case 'place_name':
    case 'place_type':
      return [
        ['like', '%o%'],
        ['equals', 'group'],
      ]
    case 'user_disabled':
    case 'disabled':
      return [
        ['equals', '0'],
        ['equals', '1'],
      ]
    case 'last_login':
      return [
        ['le', new Date().toISOString().slice(0, 10)],
        ['gt', new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ')],
        ['lt', '1990-01-01'],
      ]
  }
  throw new Error(`No values to find people by ${field}: give some in bench/src/people-questions.ts`)
}
