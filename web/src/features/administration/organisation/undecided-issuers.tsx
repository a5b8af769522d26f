import { Button } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { t } from '../../../labels/label.ts'
import { useNamedIssuers } from '../../../queries/named-issuers.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from './organisation.module.css'

const page = '/administration/organisation'

/** Tells administrators of exams that no destination gets until somebody says whose an authority is. */
export function UndecidedIssuers() {
  const found = useNamedIssuers()
  const isThere = useRouterState({ select: ({ location }) => location.pathname === page })
  const names = found?.issuers.filter((one) => one.is_outside === 0).map((one) => one.issuer) ?? []
  if (found?.holds_back !== 1 || names.length === 0 || isThere) return null
  return (
    <div className={style.undecided}>
      <Banner
        tone="priority"
        action={
          <Button size="compact-xs" variant="default" renderRoot={(props) => <Link {...props} to={page} />}>
            {t('organisation.undecidedAct')}
          </Button>
        }
      >
        {t('organisation.undecided', { names: names.slice(0, 5).join(', ') })}
      </Banner>
    </div>
  )
}
