import { accountUserList } from '@hilum/contract/calls/account-user'
import { roleList } from '@hilum/contract/calls/role'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRefusal } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  type MemberFilters,
  membersQuery,
  noMemberFilters,
  type MemberOutcome,
  type PlaceKinds,
  type PlaceMember,
  placeQuery,
  useAddMembers,
  useRemoveMembers,
} from '../../../queries/account-groups.ts'
import { rolesQuery } from '../../../queries/account-users.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { EmailText } from '../../../ui/email-text.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { IconChevronLeft, IconUserPlus } from '../../../ui/icons.ts'
import { useAddress } from '../../../ui/use-address.ts'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { ChosenNames } from '../grid/chosen-names.tsx'
import { gridTexts } from '../grid/grid-texts.ts'
import { wordsFor } from '../grid/words-for.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import { useSelection } from '../grid/use-selection.ts'
import { PersonName } from '../users/person-name.tsx'
import { type ListedRole, roleOptionOf } from '../users/user-filter.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { SelectionBar } from '../grid/selection-bar.tsx'
import style from '../users/users.module.css'
import { AddMembers } from './add-members.tsx'
import { fitsPlace, placeParameters, setCalls } from './place-kinds.ts'
import { placeReason } from './place-reasons.ts'
import { memberRowActs } from './place-row-acts.tsx'

/** The people of a group or location with the role of each there; put in, changed and taken out by those who may. */
export function PlaceMembers({ of, placeId }: { of: PlaceKinds; placeId: string }) {
  const { account } = useEstablished()
  const mayEdit = useMayCall(setCalls[of])
  const maySeeRoles = useMayCall(roleList)
  const maySeePeople = useMayCall(accountUserList)
  const [, putAddress] = useAddress()
  const { view, handleView, typed, filters, handleFilter, showFirst } = useGridPage<MemberFilters>({
    name: 'members',
    sorts: ['user_name', 'user_email', 'role_name'],
    noFilters: noMemberFilters,
  })
  const selection = useSelection((one: PlaceMember) => one.user_id)
  const [asked, setAsked] = useState<readonly PlaceMember[]>()
  const [isAdding, setIsAdding] = useState(false)
  const [fault, setFault] = useState<string>()
  const place = useQuery(placeQuery(of, placeId))
  const roles = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles })
  const answer = useQuery(membersQuery(of, placeId, view, filters))
  const { data } = answer
  const add = useAddMembers(of, placeId)
  const remove = useRemoveMembers(of, placeId)
  const placeRoles = roles.data?.filter((one) => fitsPlace(of, one)) ?? []
  const byDefault = place.data?.role_name
    ? t('groups.defaultIs', { role: place.data.role_name })
    : t('groups.accountRole')

  const closeMembers = () =>
    putAddress({ [placeParameters[of]]: undefined, page: undefined, sort: undefined, person: undefined }, true)
  const tellFaults = (results: readonly MemberOutcome<{ user_name: string }>[]) => {
    const lines = results
      .filter((one) => one.failure)
      .map(({ one, failure }) => t('groups.memberFailed', { name: one.user_name, reason: placeReason(of, failure) }))
    setFault(lines.length > 0 ? lines.join(' ') : undefined)
  }
  const handleRole = async (member: PlaceMember, roleId: string) => {
    const users = [member]
    const results = await add
      .mutateAsync({ users, roleId })
      .catch((failure: unknown) => users.map((one) => ({ one, failure })))
    tellFaults(results)
    if (!results[0]?.failure) putNotice(t('groups.roleGiven', { name: member.user_name }))
  }
  const handleRemove = async () => {
    if (!asked) return
    const results = await remove.mutateAsync(asked).catch((failure: unknown) => asked.map((one) => ({ one, failure })))
    setAsked(undefined)
    tellFaults(results)
    const done = results.filter((one) => !one.failure).map((result) => result.one)
    selection.select(done, false)
    if (done.length === 0) return
    const named = done.map((one) => ({ name: one.user_name }))
    putNotice(
      wordsFor(
        named,
        (who) => t(`${of}.takenOut`, { name: who }),
        (count) => t(`${of}.takenOutMany`, { count }),
      ),
    )
    showFirst() // the page may be there no more
  }
  if (place.isLoadingError) {
    return (
      <>
        {isRefusal(place.error) ? (
          <Banner tone="failed">{t(`${of}.reason.gone`)}</Banner>
        ) : (
          <FailedBanner retry={t('button.retry')} isRetrying={place.isFetching} onRetry={() => void place.refetch()}>
            {t(`${of}.loadFailed`)}
          </FailedBanner>
        )}
        <Button variant="default" size="xs" onClick={closeMembers}>
          {t(`${of}.back`)}
        </Button>
      </>
    )
  }
  const name = place.data?.name ?? ''
  return (
    <>
      <p className={style.lead}>{t('groups.membersLead', { name })}</p>
      <div className={style.bar}>
        <Button variant="default" size="xs" leftSection={<IconChevronLeft size={15} />} onClick={closeMembers}>
          {t(`${of}.back`)}
        </Button>
        <TextInput
          size="xs"
          aria-label={t('groups.findMember')}
          placeholder={t('groups.findMember')}
          value={typed.person}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => handleFilter({ person: event.currentTarget.value })}
        />
        {mayEdit && maySeePeople && (
          <Button size="xs" leftSection={<IconUserPlus size={15} />} onClick={() => setIsAdding(true)}>
            {t('groups.addMembers')}
          </Button>
        )}
      </div>
      {fault && <Banner tone="failed">{fault}</Banner>}
      {mayEdit && selection.keys.size > 0 && (
        <SelectionBar
          label={t('users.bulk')}
          text={t('users.selected', { count: selection.keys.size })}
          acts={[{ act: 'takeOut', text: t(`${of}.takeOut`) }]}
          onAct={() => setAsked(selection.rowsWith(data?.users))}
          onClear={selection.clear}
        />
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t('groups.membersOf', { name }),
            failed: t(`${of}.membersFailed`),
            empty: t(filters.person ? 'users.noneFound' : `${of}.noMembers`),
          },
          data?.page.total,
        )}
        columns={memberColumns(
          of,
          mayEdit && maySeeRoles
            ? { roles: placeRoles, byDefault, onRole: (one, id) => void handleRole(one, id) }
            : undefined,
          byDefault,
        )}
        rows={data?.users}
        keyOf={(one) => one.user_id}
        nameOf={(one) => one.user_name}
        isDimmed={(one) => one.disabled === 1}
        {...gridPaging(answer, view, handleView)}
        {...(mayEdit
          ? {
              selected: selection.keys,
              onSelect: selection.select,
              acts: memberRowActs(of, (member) => setAsked([member])),
            }
          : {})}
      />
      {asked && (
        <AskDialog
          title={t(`${of}.askTakeOut`)}
          text={wordsFor(
            asked.map((one) => ({ name: one.user_name })),
            (who) => t('groups.takeOutText', { name: who, group: name }),
            (count) => t('groups.takeOutTextMany', { count, group: name }),
          )}
          act={t(`${of}.takeOut`)}
          isBusy={remove.isPending}
          onAct={() => void handleRemove()}
          onClose={() => setAsked(undefined)}
        >
          {asked.length > 1 && (
            <ChosenNames
              label={t('grid.chosen')}
              ones={asked.map((one) => ({ key: one.user_id, name: one.user_name, email: one.user_email }))}
              shown={new Set(data?.users.map((one) => one.user_id))}
            />
          )}
        </AskDialog>
      )}
      {isAdding && (
        <AddMembers
          of={of}
          roles={placeRoles}
          byDefault={byDefault}
          isBusy={add.isPending}
          onAdd={async (users, roleId) => {
            const results = await add
              .mutateAsync({ users, roleId })
              .catch((failure: unknown) => users.map((one) => ({ one, failure })))
            const refused = results.filter((one) => one.failure)
            const count = results.length - refused.length
            if (count > 0) putNotice(t('groups.membersAdded', { count }))
            if (refused.length === 0) setIsAdding(false)
            return refused
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

interface RoleChoice {
  roles: readonly ListedRole[]
  byDefault: string
  onRole: (member: PlaceMember, roleId: string) => void
}

function memberColumns(of: PlaceKinds, choice: RoleChoice | undefined, byDefault: string): GridColumn<PlaceMember>[] {
  return [
    {
      key: 'name',
      title: t('users.name'),
      sort: 'user_name',
      isName: true,
      cell: (member) => (
        <>
          <PersonName user={member} />
          {member.disabled === 1 && <span className={style.mark}>{t('users.disabledMark')}</span>}
        </>
      ),
    },
    {
      key: 'email',
      title: t('users.email'),
      sort: 'user_email',
      cell: (member) => <EmailText>{member.user_email}</EmailText>,
    },
    {
      key: 'role',
      title: t(`${of}.roleHere`),
      sort: 'role_name',
      cell: (member) =>
        choice ? (
          <NativeSelect
            size="xs"
            aria-label={t(`${of}.roleOf`, { name: member.user_name })}
            value={member.role_id}
            data={[{ value: '', label: choice.byDefault }, ...choice.roles.map(roleOptionOf)]}
            onChange={(event) => choice.onRole(member, event.currentTarget.value)}
          />
        ) : (
          member.role_name || byDefault
        ),
    },
    { key: 'held', title: t('groups.roleHeld'), cell: (member) => member.held_role_name },
  ]
}
