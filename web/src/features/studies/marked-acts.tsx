import { studySet } from '@hilum/contract/calls/study'
import { studyRevive } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import type { StudyState } from '@hilum/contract/inbox-config'
import { Button, NativeSelect } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { useRestoreStudies, useSetWorkStatus } from '../../queries/study-acts.ts'
import { mayCall, mayCallOnAll, partOf } from '../../session/use-may.ts'
import { unmarkAll } from '../../state/marked-studies.ts'
import { IconRestore, IconSelector } from '../../ui/icons.ts'
import style from './study-list.module.css'

const statuses = ['new', 'in_progress', 'done'] as const

interface MarkedActsProps {
  marked: readonly Study[]
  state: StudyState
  onRestore: ReturnType<typeof useRestoreStudies>
  onSetStatus: ReturnType<typeof useSetWorkStatus>
}

/** Acts of the list on the marked studies; each only when all of them grant it (PERM-01), and off where only some do. */
export function MarkedActs({ marked, state, onRestore, onSetStatus }: MarkedActsProps) {
  const uuids = marked.map(({ uuid }) => uuid)
  const permissions = marked.map((study) => study.permissions)
  const isOff = !mayCallOnAll(partOf(studySet, 'work_status'), permissions)
  const handleStatus = (status: string) => {
    const chosen = statuses.find((one) => one === status)
    if (chosen) onSetStatus.mutate({ uuids, status: chosen }, { onSuccess: unmarkAll })
  }
  return (
    <>
      {state === 'Deleted' && mayCallOnAll(studyRevive, permissions) && (
        <Button
          variant="default"
          leftSection={<IconRestore size={15} />}
          loading={onRestore.isPending}
          onClick={() => onRestore.mutate(uuids, { onSuccess: unmarkAll })}
        >
          {t('list.restore')}
        </Button>
      )}
      {state !== 'Deleted' && permissions.some((flags) => mayCall(partOf(studySet, 'work_status'), flags)) && (
        <NativeSelect
          className={style.sort}
          aria-label={t('list.setStatus')}
          rightSection={<IconSelector size={14} />}
          data={[
            { value: '', label: t('list.setStatus') },
            ...statuses.map((status) => ({ value: status, label: t(`work.${status}`) })),
          ]}
          value=""
          disabled={isOff || onSetStatus.isPending}
          title={isOff ? t('list.statusOff') : undefined}
          onChange={(event) => handleStatus(event.currentTarget.value)}
        />
      )}
      <Button variant="subtle" onClick={unmarkAll}>
        {t('list.clearSelection')}
      </Button>
    </>
  )
}
