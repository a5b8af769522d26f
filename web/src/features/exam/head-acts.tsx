import { studySet } from '@hilum/contract/calls/study'
import { studyDelete, studyStar } from '@hilum/contract/calls/study-acts'
import { studyMerge } from '@hilum/contract/calls/study-merge'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { mayRetract } from '../../queries/retractions.ts'
import { useSetWorkStatus, useStarStudy } from '../../queries/study-acts.ts'
import { mergeable, relatedStudiesQuery } from '../../queries/study-facts.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall, partOf } from '../../session/use-may.ts'
import {
  IconArrowsExchange,
  IconBan,
  IconCheck,
  IconChevronDown,
  IconDots,
  IconFlag3Filled,
  IconFolderSymlink,
  IconStar,
  IconStarFilled,
  IconTrash,
} from '../../ui/icons.ts'
import { failureText } from './act-failure.tsx'
import style from './acts.module.css'
import { mayMove } from './may-move.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { RetractDialog } from './retract-dialog.tsx'

const MoveDialog = lazy(async () => ({ default: (await import('./move-dialog.tsx')).MoveDialog }))

interface HeadActsProps {
  study: Study
  designation: Designation | undefined
  /** Asks whether the study is to be deleted. */
  onDelete: () => void
  /** The study was moved to another group. */
  onMoved: () => void
}

/** Acts in the head of the panel, on every tab: star the study, set its work status, move it, delete it. */
export function HeadActs({ study, designation, onDelete, onMoved }: HeadActsProps) {
  const star = useStarStudy()
  const isStarred = study.star === 1
  const [isRetracting, setRetracting] = useState(false)
  const mayDelete = mayCall(studyDelete, study.permissions)
  const { permissions: inAccount } = useEstablished()
  const mayTakeBack = mayRetract(study, inAccount)
  const mayMerge = mayCall(studyMerge, study.permissions) && study.image_count > 0
  const [isMerging, setMerging] = useState(false)
  const isMovable = designation !== 'GATEKEEPER' && mayDelete && mayMove(study)
  const [isMoving, setMoving] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { data: others } = useQuery({ ...relatedStudiesQuery(study), enabled: isMenuOpen && mayMerge })
  const hasNoOther = others !== undefined && others.more !== 1 && mergeable(study, others.related).length === 0
  const more = useRef<HTMLButtonElement>(null)
  // the item goes with its menu: a dialog gives the focus back to whatever had it
  const openFromMenu = (open: (isOpen: true) => void) => {
    more.current?.focus()
    open(true)
  }
  return (
    <>
      {designation === 'GATEKEEPER' && study.priority > 0 && (
        <IconFlag3Filled size={16} role="img" aria-label={t('exam.priority')} className={style.starred} />
      )}
      <WorkStatus study={study} />
      {mayCall(studyStar, study.permissions) && (
        <ActionIcon
          size={28}
          aria-pressed={isStarred}
          aria-label={t('exam.star')}
          className={isStarred ? style.starred : undefined}
          onClick={() => star.mutate({ uuid: study.uuid, star: isStarred ? 0 : 1 })}
        >
          {isStarred ? <IconStarFilled size={16} /> : <IconStar size={16} />}
        </ActionIcon>
      )}
      {(mayDelete || mayTakeBack || mayMerge || isMovable) && (
        <Menu position="bottom-end" width={230} opened={isMenuOpen} onChange={setMenuOpen}>
          <Menu.Target>
            <ActionIcon ref={more} size={28} aria-label={t('exam.more')}>
              <IconDots size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayMerge && (
              <Menu.Item
                leftSection={<IconArrowsExchange size={15} />}
                // An item that was disabled under the focus would let it go, and the arrows pass over disabled ones.
                aria-disabled={hasNoOther || undefined}
                className={hasNoOther ? style.offItem : undefined}
                closeMenuOnClick={!hasNoOther}
                onClick={() => !hasNoOther && openFromMenu(setMerging)}
              >
                {t(hasNoOther ? 'merge.itemNone' : 'merge.item')}
              </Menu.Item>
            )}
            {isMovable && (
              <Menu.Item leftSection={<IconFolderSymlink size={15} />} onClick={() => openFromMenu(setMoving)}>
                {t('move.item')}
              </Menu.Item>
            )}
            {mayTakeBack && (
              <Menu.Item
                color="var(--failed)"
                leftSection={<IconBan size={15} />}
                onClick={() => openFromMenu(setRetracting)}
              >
                {t('retract.item')}
              </Menu.Item>
            )}
            {mayDelete && (
              <Menu.Item
                color="var(--failed)"
                leftSection={<IconTrash size={15} />}
                onClick={() => openFromMenu(onDelete)}
              >
                {t('exam.deleteItem')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {isMerging && <MergeDialog study={study} onClose={() => setMerging(false)} />}
      {isMoving && (
        <Suspense>
          <MoveDialog studies={[study]} onMoved={onMoved} onClose={() => setMoving(false)} />
        </Suspense>
      )}
      {isRetracting && <RetractDialog study={study} onClose={() => setRetracting(false)} />}
      {star.isError && (
        <span role="alert" className={style.headFailure}>
          {t('star.failed')} {failureText(star.error)}
        </span>
      )}
    </>
  )
}

const statuses = ['new', 'in_progress', 'done'] as const

/** New, in progress, done; and by whom it was taken. */
function WorkStatus({ study }: { study: Study }) {
  const work = useSetWorkStatus()
  const status = t(`work.${study.work_status}`)
  const text = study.taken_by_name ? t('work.withWho', { status, who: study.taken_by_name }) : status
  if (!mayCall(partOf(studySet, 'work_status'), study.permissions))
    return <span className={style.reasonInline}>{text}</span>
  const hasFailed = work.isError || (work.data !== undefined && work.data.failed > 0)
  return (
    <>
      <Menu position="bottom-end" width={150}>
        <Menu.Target>
          <Button
            variant="default"
            size="compact-xs"
            className={style.work}
            rightSection={<IconChevronDown size={13} />}
            loading={work.isPending}
            aria-label={t('work.control', { status: text })}
          >
            {text}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {statuses.map((one) => (
            <Menu.Item
              key={one}
              leftSection={<IconCheck size={14} visibility={one === study.work_status ? undefined : 'hidden'} />}
              aria-current={one === study.work_status || undefined}
              onClick={() => work.mutate({ uuids: [study.uuid], status: one })}
            >
              {t(`work.${one}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {hasFailed && (
        <span role="alert" className={style.headFailure}>
          {t('work.failed')}
        </span>
      )}
    </>
  )
}
