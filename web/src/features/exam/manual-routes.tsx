import { studyManualRoute } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { useManualRoute } from '../../queries/exam-acts.ts'
import { mayCall } from '../../session/use-may.ts'
import { IconSend2 } from '../../ui/icons.ts'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'
import { PassingBanner } from '../../ui/passing-banner.tsx'

type Route = NonNullable<Study['routes']>[number]

/** Routes that wait for a person to start them; only to those who may. */
export function ManualRoutes({ study, routes }: { study: Study; routes: readonly Route[] }) {
  const start = useManualRoute(study.uuid)
  if (!mayCall(studyManualRoute, study.permissions)) return <p className={panel.note}>{t('act.notPermitted')}</p>
  const name = routes.find(({ uuid }) => uuid === start.variables)?.name ?? ''
  return (
    <div className={style.routes}>
      <ul className={style.uploads}>
        {routes.map((route) => (
          <li key={route.uuid}>
            <span className={style.uploadName} title={route.name}>
              {route.name}
            </span>
            <Button
              variant="default"
              size="compact-xs"
              leftSection={<IconSend2 size={14} />}
              loading={start.isPending && start.variables === route.uuid}
              aria-label={t('routes.start', { name: route.name })}
              onClick={() => start.mutate(route.uuid)}
            >
              {t('routes.button')}
            </Button>
          </li>
        ))}
      </ul>
      {start.isError && <ActFailure text={t('routes.failed', { name })} failure={start.error} />}
      {start.isSuccess && (
        <PassingBanner key={start.submittedAt} onGone={start.reset}>
          {t('routes.started', { name })}
        </PassingBanner>
      )}
    </div>
  )
}
