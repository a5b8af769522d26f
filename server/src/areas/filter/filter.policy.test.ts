import { describe, expect, it } from 'vitest'
import { madeCaller, madeMembership } from '../../../test/made-caller.ts'
import { accountOfSearch, mayEditSearch, openSearchPlace } from './filter.policy.ts'
import { readConfiguration } from './read-configuration.ts'
import { demandShareRight, readShareTarget } from './share-target.policy.ts'
import { targetsOf } from './share-targets.ts'

const place = 'c0ffee00-0000-4000-8000-000000000001'
const other = 'c0ffee00-0000-4000-8000-000000000002'
const code = (name: string, subtype?: string) =>
  subtype === undefined ? { code: name } : { code: name, detail: { subtype } }

describe('a saved search is changed', () => {
  const row = { owner_uuid: 'ann', namespace_uuid: place }

  it('by its owner, wherever it is kept', () => {
    expect(mayEditSearch(row, 'ann', [])).toBe(true)
    expect(mayEditSearch({ ...row, namespace_uuid: null }, 'ann', [])).toBe(true)
  })

  it('in a shared place by people who edit the searches of others there', () => {
    const may = (...memberships: Parameters<typeof madeMembership>[]) =>
      mayEditSearch(
        row,
        'ben',
        memberships.map((one) => madeMembership(...one)),
      )
    expect(may([place, ['user_edit_shared_filter']])).toBe(true)
    expect(may([place, ['user_edit_shared_filter', 'filter_edit_only_own']])).toBe(false)
    expect(may([place, ['filter_share']])).toBe(false)
    expect(may([other, ['user_edit_shared_filter']])).toBe(false)
    expect(may([other, ['user_edit_shared_filter']], [place, []])).toBe(false)
  })
})

describe('a saved search is kept', () => {
  it('in a place where the caller may share searches', async () => {
    const caller = madeCaller([madeMembership(other, []), madeMembership(place, ['filter_share'])])
    expect((await openSearchPlace(caller, place)).namespaceUuid).toBe(place)
    expect((await openSearchPlace(caller, place.toUpperCase())).namespaceUuid).toBe(place)
    await expect(openSearchPlace(caller, other)).rejects.toMatchObject(code('NOT_PERMITTED'))
    await expect(openSearchPlace(caller, 'foreign')).rejects.toMatchObject(code('NOT_FOUND', 'namespace_id'))
  })

  it('for the account of its place, or for one of the caller', async () => {
    const caller = madeCaller([madeMembership(other, []), madeMembership(place, [], { accountUuid: 'north' })])
    expect(await accountOfSearch(caller, 'north', undefined)).toBe('north')
    expect(await accountOfSearch(caller, 'north', 'north')).toBe('north')
    expect(await accountOfSearch(caller, null, undefined)).toBeNull()
    await expect(accountOfSearch(caller, 'north', 'south')).rejects.toMatchObject(code('INVALID_FIELD', 'account_id'))
    expect(await accountOfSearch(caller, undefined, undefined)).toBeUndefined()
    expect(await accountOfSearch(caller, undefined, 'north')).toBe('north')
    await expect(accountOfSearch(caller, undefined, 'south')).rejects.toMatchObject(code('NOT_FOUND', 'account_id'))
  })
})

describe('what a saved search asks', () => {
  it('is kept as it was sent when a study list understands it', () => {
    const sent = { 'patient_name.like': '%doe%', 'filter.modality.in': ['CT'], 'filter.tz': 'x', web: { any: 'thing' } }
    expect(readConfiguration(sent)).toBe(sent)
    expect(readConfiguration({})).toEqual({})
  })

  it.each([{ 'nothing.equals': 'x' }, { 'patient_name.resembles': 'x' }, { 'modality.in': 'CT' }])(
    'is refused where none does: %j',
    (sent) => {
      const [key] = Object.keys(sent)
      expect(() => readConfiguration(sent)).toThrow(
        expect.objectContaining({ ...code('INVALID_CONFIG', `filter.${key}`), cause: expect.any(Error) }),
      )
    },
  )

  it('may be a list of saved searches, up to twenty', () => {
    expect(readConfiguration([place.toUpperCase(), other])).toEqual([place, other])
    const twenty = Array.from({ length: 20 }, () => place)
    expect(readConfiguration(twenty)).toHaveLength(20)
    for (const wrong of [[], [...twenty, place], ['no uuid'], [place, 7], [place, `${other}0`], [`x${place}`]]) {
      expect(() => readConfiguration(wrong)).toThrow(expect.objectContaining(code('INVALID_CONFIG')))
    }
  })

  it.each(['text', 7, null, undefined, true])('%j is none', (sent) => {
    expect(() => readConfiguration(sent)).toThrow(expect.objectContaining(code('INVALID_CONFIG')))
  })

  it('is no longer than anybody writes', () => {
    const long = (count: number) => ({ web: 'x'.repeat(count) })
    expect(readConfiguration(long(50_000 - '{"web":""}'.length))).toBeDefined()
    expect(() => readConfiguration(long(50_001 - '{"web":""}'.length))).toThrow(
      expect.objectContaining(code('INVALID_CONFIG')),
    )
  })
})

describe('a saved search is shared', () => {
  it('with one target', () => {
    expect(readShareTarget({ group_id: place.toUpperCase() })).toEqual({ kind: 'group', uuid: place })
    expect(readShareTarget({ group_id: '', user_id: other })).toEqual({ kind: 'user', uuid: other })
    for (const sent of [{}, { group_id: '' }, { group_id: place, user_id: other }]) {
      expect(() => readShareTarget(sent)).toThrow(expect.objectContaining(code('INVALID_PARAMETERS')))
    }
  })

  const memberships = [
    madeMembership('n1', [], { kind: 'account', ownerUuid: 'north', accountUuid: 'north' }),
    madeMembership('n2', ['filter_share'], { kind: 'account', ownerUuid: 'south', accountUuid: 'south' }),
    madeMembership('n3', ['filter_share'], { kind: 'group', ownerUuid: 'inbox', accountUuid: 'north' }),
    madeMembership('n4', [], { kind: 'group', ownerUuid: 'archive', accountUuid: 'north' }),
  ]
  const demand = (kind: 'user' | 'role' | 'group' | 'account', uuid: string, accounts: string[] = []) =>
    demandShareRight({ kind, uuid }, 'ann', memberships, accounts)

  it('with places and people of accounts where the caller may', () => {
    expect(() => demand('group', 'inbox')).not.toThrow()
    expect(() => demand('account', 'south')).not.toThrow()
    expect(() => demand('user', 'ben', ['north', 'south'])).not.toThrow()
    expect(() => demand('role', 'reader', ['south'])).not.toThrow()
  })

  it('with oneself always', () => {
    expect(() => demand('user', 'ann')).not.toThrow()
    expect(() => demand('role', 'ann')).toThrow(expect.objectContaining(code('NOT_FOUND', 'role_id')))
  })

  it('with nobody where the caller may not, nor with what is foreign', () => {
    for (const [kind, uuid, accounts] of [
      ['group', 'archive'],
      ['account', 'north'],
      ['user', 'ben', ['north']],
    ] as const) {
      expect(() => demand(kind, uuid, [...(accounts ?? [])])).toThrow(expect.objectContaining(code('NOT_PERMITTED')))
    }
    for (const [kind, uuid, accounts] of [
      ['group', 'foreign'],
      ['group', 'south'],
      ['account', 'inbox'],
      ['user', 'ben', []],
      ['user', 'ben', ['inbox']],
      ['role', 'reader', ['west']],
    ] as const) {
      expect(() => demand(kind, uuid, [...(accounts ?? [])])).toThrow(
        expect.objectContaining(code('NOT_FOUND', `${kind}_id`)),
      )
    }
  })

  it('reaches a person by name, by place and by role', () => {
    const own = madeMembership('n0', [], { kind: 'user', ownerUuid: 'ann', roleUuid: '' })
    const inRole = madeMembership('n5', [], { kind: 'user', ownerUuid: 'ann', roleUuid: 'owner' })
    const group = madeMembership('n3', [], { kind: 'group', ownerUuid: 'inbox', roleUuid: 'reader' })
    const bare = madeMembership('n4', [], { kind: 'group', ownerUuid: 'archive', roleUuid: '' })
    expect(targetsOf('ann', [own, inRole, group, bare])).toEqual([
      { kind: 'user', uuid: 'ann' },
      { kind: 'role', uuid: 'owner' },
      { kind: 'group', uuid: 'inbox' },
      { kind: 'role', uuid: 'reader' },
      { kind: 'group', uuid: 'archive' },
    ])
  })
})
