import { studySet } from '@hilum/contract/calls/study'
import { studyStar } from '@hilum/contract/calls/study-acts'
import { tagAdd } from '@hilum/contract/calls/tag'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Menu, Pill } from '@mantine/core'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { type BatchAct, useBatchAct } from '../../queries/batch-acts.ts'
import { hasTagName, isSameTagName } from '../../format/tag-name.ts'
import { mayCall, partOf } from '../../session/use-may.ts'
import { usePutActMessages } from '../../state/act-messages.ts'
import { useTagHue } from '../../session/tag-hue.ts'
import { unmarkAll } from '../../state/marked-studies.ts'
import { IconChevronDown, IconFolderSymlink, IconStar, IconStarFilled } from '../../ui/icons.ts'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import { tellBatch } from './batch-messages.ts'
import { mayMove } from './may-move.ts'
import { TagInput } from './study-tags.tsx'

const MoveDialog = lazy(async () => ({ default: (await import('./move-dialog.tsx')).MoveDialog }))

const statuses = ['new', 'in_progress', 'done'] as const

/** Acts on several studies, and their calls; a move is several calls (`mayMove`). */
const decided = { star: studyStar, workStatus: partOf(studySet, 'work_status'), tag: tagAdd }
type Act = keyof typeof decided | 'move'

const allows = (act: Act, study: Study) => (act === 'move' ? mayMove(study) : mayCall(decided[act], study.permissions))

/**
 * Star, work status, tags and the group of several studies at once. An act that one of them does not allow is off, and says for
 * whom; one that none of them allows is not there. The outcome shows in the message tab.
 */
export function BatchActs({ studies, onMoved }: { studies: readonly Study[]; onMoved: () => void }) {
  const putMessages = usePutActMessages()
  const batch = useBatchAct((outcome) => {
    putMessages(tellBatch(outcome))
    unmarkAll() // LIST-15
  })
  const act = (one: BatchAct) => batch.mutate({ studies, act: one })
  const isStarred = studies.every(({ star }) => star === 1)
  const star = useAllowed('star', studies)
  const status = useAllowed('workStatus', studies)
  const tag = useAllowed('tag', studies)
  // what a gatekeeper group got by nominations is decided on there
  const isOfGate = studies.every(({ nomination }) => nomination?.side === 'gate')
  const allowed = useAllowed('move', studies)
  const move = { ...allowed, isShown: allowed.isShown && !isOfGate }
  const [isMoving, setMoving] = useState(false)
  const all = [star, status, tag, move]
  const offs = all.filter(({ isShown, reason }) => isShown && reason !== '')
  if (!all.some(({ isShown }) => isShown)) return null
  return (
    <div className={style.batch} role="group" aria-label={t('batch.label')}>
      <div className={style.tags}>
        {star.isShown && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={isStarred ? <IconStarFilled size={15} /> : <IconStar size={15} />}
            disabled={star.reason !== '' || batch.isPending}
            aria-describedby={star.reason && star.id}
            onClick={() => act({ kind: 'star', star: isStarred ? 0 : 1 })}
          >
            {t(isStarred ? 'batch.unstar' : 'batch.star')}
          </Button>
        )}
        {status.isShown && (
          <Menu position="bottom-start" width={150}>
            <Menu.Target>
              <Button
                variant="default"
                size="compact-sm"
                rightSection={<IconChevronDown size={13} />}
                disabled={status.reason !== '' || batch.isPending}
                aria-describedby={status.reason && status.id}
              >
                {t('batch.status')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {statuses.map((one) => (
                <Menu.Item key={one} onClick={() => act({ kind: 'status', status: one })}>
                  {t(`work.${one}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {move.isShown && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconFolderSymlink size={15} />}
            disabled={move.reason !== '' || batch.isPending}
            aria-describedby={move.reason && move.id}
            onClick={() => setMoving(true)}
          >
            {t('move.button')}
          </Button>
        )}
        {tag.isShown && tag.reason === '' && <BatchTagInput studies={studies} onAct={act} />}
      </div>
      {tag.isShown && <BatchTags studies={studies} isOff={tag.reason !== ''} onAct={act} />}
      {offs.map(({ id, reason }) => (
        <p key={id} id={id} className={style.reasonInline}>
          {reason}
        </p>
      ))}
      {isMoving && (
        <Suspense>
          <MoveDialog studies={studies} onMoved={onMoved} onClose={() => setMoving(false)} />
        </Suspense>
      )}
      {batch.isError && (
        <ActFailure
          text={t('batch.notDone')}
          failure={batch.error}
          onRetry={() => batch.mutate({ studies, act: batch.variables.act })}
        />
      )}
    </div>
  )
}

/** Whether any study allows an act, and why it is off where not all of them do. */
function useAllowed(act: Act, studies: readonly Study[]) {
  const id = useId()
  const without = studies.filter((study) => !allows(act, study))
  const [first] = without
  const name = first ? nameText(first.patient_name) || t('card.noName') : ''
  const key = without.length > 1 ? 'batch.offMore' : 'batch.off'
  const reason = first ? t(key, { act: t(`batch.act.${act}`), name, count: without.length - 1 }) : ''
  return { id, isShown: without.length < studies.length, reason }
}

interface BatchTagsProps {
  studies: readonly Study[]
  onAct: (act: BatchAct) => void
}

function BatchTagInput({ studies, onAct }: BatchTagsProps) {
  const input = useRef<HTMLInputElement>(null)
  const whole = tagsOfStudies(studies).flatMap(({ tag, count }) => (count === studies.length ? [tag] : []))
  return (
    <TagInput
      input={input}
      label={t('batch.tag')}
      tags={whole}
      onAdd={(tag) => onAct({ kind: 'tag', tag, isAdded: true })}
    />
  )
}

/** Tags of the studies, each with the number of those that have it; many of them scroll, so that the tabs stay in reach. */
function BatchTags({ studies, isOff, onAct }: BatchTagsProps & { isOff: boolean }) {
  const tags = tagsOfStudies(studies)
  const hueOf = useTagHue()
  if (tags.length === 0) return null
  return (
    <div className={style.batchTags} role="region" aria-label={t('batch.tags')} tabIndex={0}>
      {tags.map(({ tag, count }) => (
        <Pill
          key={tag}
          className={style.pill}
          data-tag-hue={hueOf(tag)}
          withRemoveButton={!isOff}
          removeButtonProps={{
            'aria-label': t('tag.remove', { tag }),
            'aria-hidden': false,
            tabIndex: 0,
            size: 24,
          }}
          onRemove={() => onAct({ kind: 'tag', tag, isAdded: false })}
        >
          {count < studies.length ? t('batch.tagOn', { tag, count, all: studies.length }) : tag}
        </Pill>
      ))}
    </div>
  )
}

function tagsOfStudies(studies: readonly Study[]): { tag: string; count: number }[] {
  const all = studies.flatMap(({ tags }) => tags)
  return all
    .filter((tag, at) => all.findIndex((one) => isSameTagName(one, tag)) === at)
    .map((tag) => ({
      tag,
      count: studies.filter((study) => hasTagName(study.tags, tag)).length,
    }))
}
