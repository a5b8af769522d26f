import type { Study } from '@hilum/contract/entities/study'
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import { useInboxes } from '../../queries/namespaces.ts'
import { savedSearchesQuery } from '../../queries/saved-searches.ts'
import { chooseAdvanced } from '../../session/advanced-mode.ts'
import { signOut } from '../../session/establish-session.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { may, useIsAdministrator } from '../../session/use-may.ts'
import { useRecentStudies } from '../../state/recent-studies.ts'
import { useOpenSearch } from './open-search.ts'

/** Something that the palette leads to. */
export interface Entry {
  id: string
  kind: 'study' | 'search' | 'place' | 'act' | 'patient'
  label: string
  note?: string
  run: () => void
}

/** Everything that the palette leads to, the most wanted kind first. */
export function useEntries(): readonly Entry[] {
  return [...useOpened(), ...useSearches(), ...usePlaces(), ...useActs()]
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
  const { sessionId } = useEstablished()
  const navigate = useNavigate()
  const inboxes = useInboxes()
  const { dateFormat } = usePreferences()
  const open = (study: Study) => {
    const inbox = inboxes.find(({ namespaceId }) => namespaceId === study.phi_namespace)
    void navigate({
      to: '/group/$groupId/{-$state}',
      params: { groupId: inbox?.id ?? '', state: undefined },
      search: { study: study.uuid },
    })
  }
  return useRecentStudies(sessionId)
    .filter((study) => inboxes.some(({ namespaceId }) => namespaceId === study.phi_namespace))
    .map((study) => ({
      id: `study ${study.uuid}`,
      kind: 'study',
      label: nameText(study.patient_name) || t('card.noName'),
      note: [study.patientid, formatDate(study.study_date, dateFormat), study.study_description]
        .filter(Boolean)
        .join(' · '),
      run: () => open(study),
    }))
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
  const { account } = useEstablished()
  const isAdministrator = useIsAdministrator()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const mayUpload = inboxes.some(
    ({ kind, designation, permissions }) =>
      kind === 'group' && designation === 'CLOUD' && may('uploadStudy', permissions),
  )
  const hasWorklist = account.settings['inbox_allow_switch_between_modes'] === '1' || isAdministrator
  const act = (label: string, run: () => void): Entry => ({ id: `act ${label}`, kind: 'act', label, run })
  return [
    ...(mayUpload ? [act(t('nav.upload'), () => void navigate({ to: '/study/upload' }))] : []),
    act(t('menu.account'), () => void navigate({ to: '/account-settings' })),
    ...(isAdministrator && account.settings['hide_administration_tab'] !== '1'
      ? [act(t('menu.admin'), () => window.open('/administration', '_blank', 'noopener'))]
      : []),
    ...(hasWorklist
      ? [
          act(t('menu.advanced'), () => {
            chooseAdvanced(true)
            void navigate({ to: '/worklist' })
          }),
        ]
      : []),
    act(t('menu.theme'), () => setColorScheme(scheme === 'dark' ? 'light' : 'dark')),
    act(t('menu.help'), () => window.open('/help', '_blank', 'noopener')),
    act(t('menu.logout'), () => void signOut()),
  ]
}
