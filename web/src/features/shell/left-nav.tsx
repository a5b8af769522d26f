import { studyUploadCheck } from '@hilum/contract/calls/study'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { StudyState } from '@hilum/contract/inbox-config'
import { type KeyboardEvent, useId } from 'react'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import { type Inbox, useInboxes } from '../../queries/namespaces.ts'
import { badgeText, useOpenCount } from '../../queries/open-counts.ts'
import { type AddressFilters, readAddressFilters } from '../../state/list-search.ts'
import { mayCall } from '../../session/use-may.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { IconBooks, IconBuilding, IconBuildingHospital, IconChevronDown, IconCloud, IconUser } from '../../ui/icons.ts'
import { GroupActions } from './group-actions.tsx'
import { NavSearches } from './nav-searches.tsx'
import style from './shell.module.css'
import { UploadButton } from './upload-button.tsx'

/** Upload, the groups with their states, and what can be begun in the open one (SHELL-07…13). */
export function LeftNav() {
  const inboxes = useInboxes()
  const { groupId } = useParams({ strict: false })
  const navigate = useNavigate()
  // PERM-14: what a person may do in their own place opens no group to upload into.
  const mayUpload = inboxes.some(
    ({ kind, designation, permissions }) =>
      kind === 'group' && designation === 'CLOUD' && mayCall(studyUploadCheck, permissions),
  )
  const openInbox = inboxes.find(({ id }) => id === groupId)
  const handleChange = (id: string | null) =>
    void (id
      ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId: id, state: undefined }, search: carryOrder })
      : navigate({ to: '/group/list', search: carryOrder }))
  return (
    <>
      <div className={style.actions}>{mayUpload && <UploadButton />}</div>
      <div className={style.places}>
        <Link to="/group/list" search={carryOrder} className={style.all} activeOptions={{ includeSearch: false }}>
          {t('nav.allGroups')}
        </Link>
        {inboxes.length === 0 && <p className={style.note}>{t('nav.noGroups')}</p>}
        {inboxes.map((inbox) => (
          <InboxItem
            key={inbox.id}
            inbox={inbox}
            isOpen={inbox === openInbox}
            onToggle={() => handleChange(inbox === openInbox ? null : inbox.id)}
          />
        ))}
        <NavSearches />
      </div>
      {/* Below the groups: above them it would move them under the pointer that opened one. */}
      <div className={style.groupActions}>{openInbox && <GroupActions inbox={openInbox} />}</div>
    </>
  )
}

/** LIST-11: order and filters hold from place to place, where they make sense; page and selection do not. */
function carryOrder({ sort, ...search }: { sort?: string } & AddressFilters) {
  return { sort, ...readAddressFilters(search) }
}

interface InboxItemProps {
  inbox: Inbox
  isOpen: boolean
  onToggle: () => void
}

function InboxItem({ inbox, isOpen, onToggle }: InboxItemProps) {
  const id = useId()
  return (
    <div>
      <h2 className={style.itemHead}>
        <button
          type="button"
          id={id}
          className={style.control}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-states` : undefined}
          onClick={onToggle}
          onKeyDown={moveAmongPlaces}
        >
          <InboxIcon inbox={inbox} />
          <span className={style.placeName}>
            <span className={style.placeText} title={inboxName(inbox)}>
              {inboxName(inbox)}
            </span>
            {!isOpen && <OpenCount inboxId={inbox.id} state={inbox.states[0]} />}
          </span>
          <IconChevronDown size={15} className={style.chevron} />
        </button>
      </h2>
      {isOpen && (
        <div id={`${id}-states`} role="region" aria-labelledby={id} className={style.content}>
          {inbox.states.map((state) => (
            <Link
              key={state}
              to="/group/$groupId/{-$state}"
              params={{ groupId: inbox.id, state }}
              search={carryOrder}
              className={style.state}
              activeOptions={{ includeSearch: false }}
            >
              {t(`state.${state}`)}
              <OpenCount inboxId={inbox.id} state={state} />
            </Link>
          ))}
        </div>
      )}
    </div>
  )
}

const placeSteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Arrows go from place to place, and from the last to the first. */
function moveAmongPlaces(event: KeyboardEvent<HTMLButtonElement>) {
  const step = placeSteps[event.key]
  if (step === undefined) return
  const places = [...document.querySelectorAll<HTMLButtonElement>(`.${style.control}`)]
  places.at((places.indexOf(event.currentTarget) + step) % places.length)?.focus()
  event.preventDefault()
  // the list beside would go to its next study
  event.stopPropagation()
}

/** Badge of studies not done; none if all are. */
function OpenCount({ inboxId, state }: { inboxId: string; state: StudyState | undefined }) {
  const count = useOpenCount(inboxId, state)
  if (!count) return null
  const text = badgeText(count)
  return (
    <span className={style.count} title={t('nav.openCount', { count: text })}>
      <span aria-hidden="true">{text}</span>
      <HeardOnly>{t('nav.openCount', { count: text })}</HeardOnly>
    </span>
  )
}

const groupIcons = { LIBRARY: IconBooks, GATEKEEPER: IconBuildingHospital, CLOUD: IconCloud }

function InboxIcon({ inbox }: { inbox: Inbox }) {
  const { kind, designation } = inbox
  if (kind === 'mine') return <IconUser size={16} className={style.placeIcon} />
  if (kind === 'organisation') return <IconBuilding size={16} className={style.placeIcon} />
  const Icon = groupIcons[designation]
  return <Icon size={16} className={style.placeIcon} role="img" aria-label={t(`groupType.${designation}`)} />
}
