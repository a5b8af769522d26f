import { Accordion, Button } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { t } from '../../labels/label.ts'
import { type Inbox, useInboxes } from '../../queries/namespaces.ts'
import { may } from '../../session/use-may.ts'
import { clearSearchFilters } from '../../state/search-filters.ts'
import { IconBooks, IconBuilding, IconBuildingHospital, IconCloud, IconPlus, IconUser } from '../../ui/icons.ts'
import style from './shell.module.css'
import { UploadButton } from './upload-button.tsx'

/** Upload, New Case, and the groups with their states (SHELL-07…13). */
export function LeftNav() {
  const inboxes = useInboxes()
  const { groupId } = useParams({ strict: false })
  const navigate = useNavigate()
  const mayUpload = inboxes.some(({ permissions }) => may('uploadStudy', permissions))
  const openInbox = inboxes.find(({ id }) => id === groupId)
  const handleChange = (id: string | null) =>
    void (id ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId: id } }) : navigate({ to: '/group/list' }))
  return (
    <>
      {mayUpload && (
        <div className={style.actions}>
          <UploadButton />
          {openInbox && <NewCaseButton inbox={openInbox} />}
        </div>
      )}
      <div className={style.places}>
        <Link to="/group/list" className={style.all} activeOptions={{ includeSearch: false }}>
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
            <InboxItem key={inbox.id} inbox={inbox} />
          ))}
        </Accordion>
      </div>
    </>
  )
}

function InboxItem({ inbox }: { inbox: Inbox }) {
  return (
    <Accordion.Item value={inbox.id}>
      <Accordion.Control icon={<InboxIcon inbox={inbox} />}>{nameOf(inbox)}</Accordion.Control>
      <Accordion.Panel>
        {inbox.states.map((state) => (
          <Link
            key={state}
            to="/group/$groupId/{-$state}"
            params={{ groupId: inbox.id, state }}
            className={style.state}
            activeOptions={{ includeSearch: false }}
          >
            {t(`state.${state}`)}
          </Link>
        ))}
      </Accordion.Panel>
    </Accordion.Item>
  )
}

function nameOf({ kind, name }: Inbox): string {
  if (kind === 'mine') return t('nav.myStudies')
  return kind === 'organisation' ? t('nav.organisationInbox') : name
}

const groupIcons = { LIBRARY: IconBooks, GATEKEEPER: IconBuildingHospital, CLOUD: IconCloud }

function InboxIcon({ inbox }: { inbox: Inbox }) {
  const { kind, designation } = inbox
  if (kind === 'mine') return <IconUser size={16} className={style.placeIcon} aria-hidden="true" />
  if (kind === 'organisation') return <IconBuilding size={16} className={style.placeIcon} aria-hidden="true" />
  const Icon = groupIcons[designation]
  return <Icon size={16} className={style.placeIcon} role="img" aria-label={t(`groupType.${designation}`)} />
}

/** SHELL-09, PERM-06: only of a cloud group, and only for those who may upload into it. */
function NewCaseButton({ inbox }: { inbox: Inbox }) {
  const navigate = useNavigate()
  if (inbox.designation !== 'CLOUD' || !may('uploadStudy', inbox.permissions)) return null
  const handleNewCase = () => {
    clearSearchFilters()
    void navigate({ to: '/study/upload', search: { group: inbox.id } })
  }
  return (
    <Button fullWidth variant="default" leftSection={<IconPlus size={15} />} onClick={handleNewCase}>
      {t('nav.newCase')}
    </Button>
  )
}
