import { studyUploadCheck } from '@hilum/contract/calls/study'
import { Accordion } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { StudyState } from '@hilum/contract/inbox-config'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import { type Inbox, useInboxes } from '../../queries/namespaces.ts'
import { badgeText, useOpenCount } from '../../queries/open-counts.ts'
import { type AddressFilters, readAddressFilters } from '../../state/list-search.ts'
import { mayCall } from '../../session/use-may.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { IconBooks, IconBuilding, IconBuildingHospital, IconCloud, IconUser } from '../../ui/icons.ts'
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
        <Accordion
          value={openInbox?.id ?? null}
          onChange={handleChange}
          transitionDuration={0}
          order={2}
          classNames={{
            item: style.item,
            control: style.control,
            label: style.label,
            chevron: style.chevron,
            content: style.content,
          }}
        >
          {inboxes.map((inbox) => (
            <InboxItem key={inbox.id} inbox={inbox} isOpen={inbox === openInbox} />
          ))}
        </Accordion>
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

function InboxItem({ inbox, isOpen }: { inbox: Inbox; isOpen: boolean }) {
  return (
    <Accordion.Item value={inbox.id}>
      <Accordion.Control icon={<InboxIcon inbox={inbox} />}>
        <span className={style.placeName}>
          <span className={style.placeText} title={inboxName(inbox)}>
            {inboxName(inbox)}
          </span>
          {!isOpen && <OpenCount inboxId={inbox.id} state={inbox.states[0]} />}
        </span>
      </Accordion.Control>
      <Accordion.Panel>
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
      </Accordion.Panel>
    </Accordion.Item>
  )
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
