import { linkAdd } from '@hilum/contract/calls/link'
import { orderList } from '@hilum/contract/calls/order'
import { destinationSearch } from '@hilum/contract/calls/retrieve'
import { studyUploadCheck } from '@hilum/contract/calls/study'
import type { Study } from '@hilum/contract/entities/study'
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import { type Inbox, useInboxes } from '../../queries/namespaces.ts'
import { useOpenedStudies } from '../../queries/opened-studies.ts'
import { savedSearchesQuery } from '../../queries/saved-searches.ts'
import { chooseAdvanced } from '../../session/advanced-mode.ts'
import { signOut } from '../../session/establish-session.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { accountPages, useAdministrationPages, useHasAdministration, useHasWorklist } from '../../session/own-pages.ts'
import { inPlace, mayCall, useMayCall } from '../../session/use-may.ts'
import { clearSearchFilters } from '../../state/search-filters.ts'
import { useHelpTopic } from './help-address.ts'
import { useOpenSearch } from './open-search.ts'

/** Something that the palette leads to. */
export interface Entry {
  id: string
  kind: 'study' | 'search' | 'place' | 'act' | 'page' | 'patient'
  label: string
  note?: string
  run: () => void
}

/** Everything that the palette leads to, the most wanted kind first. */
export function useEntries(): readonly Entry[] {
  return [...useOpened(), ...useSearches(), ...usePlaces(), ...useActs(), ...useGroupActs(), ...usePages()]
}

/** Entries that hold every word that was typed, in their label or note. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return entries.filter(({ label, note = '' }) => {
    const text = fold(`${label} ${note}`)
    return words.every((word) => text.includes(word))
  })
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function useOpened(): Entry[] {
  const navigate = useNavigate()
  const inboxes = useInboxes()
  const { dateFormat } = usePreferences()
  const placeOf = (study: Study) => inboxes.find(({ namespaceId }) => namespaceId === study.phi_namespace)
  const recent = useOpenedStudies()
  const hasSeveralPlaces = new Set(recent.map((study) => study.phi_namespace)).size > 1
  const open = (study: Study) => {
    const inbox = placeOf(study)
    void navigate({
      to: '/group/$groupId/{-$state}',
      params: { groupId: inbox?.id ?? '', state: undefined },
      search: { study: study.uuid },
    })
  }
  return recent.flatMap((study) => {
    const inbox = placeOf(study)
    if (!inbox) return []
    const place = hasSeveralPlaces ? inboxName(inbox) : ''
    const facts = [study.patientid, formatDate(study.study_date, dateFormat), study.study_description, place]
    return {
      id: `study ${study.uuid}`,
      kind: 'study',
      label: nameText(study.patient_name) || t('card.noName'),
      note: facts.filter(Boolean).join(' · '),
      run: () => open(study),
    }
  })
}

function useSearches(): Entry[] {
  const { account } = useEstablished()
  const { data: saved = [] } = useQuery(savedSearchesQuery(account.uuid))
  const { openSaved } = useOpenSearch()
  return saved.map((one) => ({
    id: `search ${one.uuid}`,
    kind: 'search',
    label: one.name,
    ...(one.isMine ? {} : { note: one.ownerName }),
    run: () => openSaved(one),
  }))
}

function usePlaces(): Entry[] {
  const inboxes = useInboxes()
  const navigate = useNavigate()
  const all: Entry = {
    id: 'place all',
    kind: 'place',
    label: t('nav.allGroups'),
    run: () => void navigate({ to: '/group/list' }),
  }
  const places = inboxes.flatMap((inbox) =>
    inbox.states.map(
      (state, at): Entry => ({
        id: `place ${inbox.id} ${state}`,
        kind: 'place',
        label: inboxName(inbox),
        ...(at === 0 ? {} : { note: t(`state.${state}`) }),
        run: () => void navigate({ to: '/group/$groupId/{-$state}', params: { groupId: inbox.id, state } }),
      }),
    ),
  )
  // the groups themselves before their further states
  return [all, ...places.filter(({ note }) => !note), ...places.filter(({ note }) => note)]
}

function useActs(): Entry[] {
  const inboxes = useInboxes()
  const navigate = useNavigate()
  const maySeeOrders = useMayCall(orderList)
  const hasAdministration = useHasAdministration()
  const hasWorklist = useHasWorklist()
  const helpTopic = useHelpTopic()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const mayUpload = inboxes.some(
    ({ kind, designation, permissions }) =>
      kind === 'group' && designation === 'CLOUD' && mayCall(studyUploadCheck, permissions),
  )
  const act = (label: string, run: () => void): Entry => ({ id: `act ${label}`, kind: 'act', label, run })
  return [
    ...(mayUpload ? [act(t('nav.upload'), () => void navigate({ to: '/study/upload' }))] : []),
    act(t('menu.account'), () => void navigate({ to: '/account-settings' })),
    ...(maySeeOrders ? [act(t('menu.orders'), () => void navigate({ to: '/orders' }))] : []),
    ...(hasAdministration ? [act(t('menu.admin'), () => window.open('/administration', '_blank', 'noopener'))] : []),
    ...(hasWorklist
      ? [
          act(t('menu.advanced'), () => {
            chooseAdvanced(true)
            void navigate({ to: '/worklist' })
          }),
        ]
      : []),
    act(t('menu.theme'), () => setColorScheme(scheme === 'dark' ? 'light' : 'dark')),
    act(t('menu.help'), () => window.open(`/help#${helpTopic ?? ''}`, '_blank', 'noopener')),
    act(t('menu.logout'), () => void signOut()),
  ]
}

/** Acts that begin something in each group (SHELL-09). A search left in force would hide the result, so it is cleared (SHELL-10). */
function useGroupActs(): Entry[] {
  const inboxes = useInboxes().filter(({ designation, kind }) => kind === 'group' && designation === 'CLOUD')
  const navigate = useNavigate()
  const entry = (label: string, inbox: Inbox, go: () => unknown): Entry => ({
    id: `act ${label} ${inbox.id}`,
    kind: 'act',
    label,
    note: inboxName(inbox),
    run: () => {
      clearSearchFilters()
      go()
    },
  })
  return inboxes.flatMap((inbox) => {
    const { id: groupId, permissions } = inbox
    const request = () => navigate({ to: '/study/request/$groupId', params: { groupId } })
    const retrieve = () => navigate({ to: '/study/retrieve/$groupId', params: { groupId } })
    return [
      ...(mayCall(inPlace(linkAdd), permissions) ? [entry(t('nav.request'), inbox, request)] : []),
      ...(mayCall(destinationSearch, permissions) ? [entry(t('nav.retrieve'), inbox, retrieve)] : []),
    ]
  })
}

/** Pages of settings, and of the administration as far as the person may open them. */
function usePages(): Entry[] {
  const navigate = useNavigate()
  const hasAdministration = useHasAdministration()
  const administration = useAdministrationPages().flatMap(({ pages }) => [...pages])
  const own = accountPages.map(
    ({ to, name }): Entry => ({
      id: `page ${to}`,
      kind: 'page',
      label: t(name),
      note: t('menu.account'),
      run: () => void navigate({ to }),
    }),
  )
  if (!hasAdministration) return own
  return [
    ...own,
    ...administration.map(
      ({ to, name }): Entry => ({
        id: `page ${to}`,
        kind: 'page',
        label: t(name),
        note: t('menu.admin'),
        run: () => void navigate({ to }),
      }),
    ),
  ]
}
