import { outsideList } from '@hilum/contract/calls/outside'
import { t } from '../../../labels/label.ts'
import { partOf, useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from '../users/users.module.css'
import { OutsideGrid } from './outside-grid.tsx'

/** Accesses of people outside, whoever of the organisation gave them, for its administrators. */
export function OutsideOfEveryone() {
  const maySee = useMayCall(partOf(outsideList, 'everyone'))
  return (
    <section aria-labelledby="outside">
      <h2 id="outside" className={style.heading}>
        {t('outside.title')}
      </h2>
      {maySee ? <OutsideGrid isEveryone /> : <Banner tone="failed">{t('connections.notPermitted')}</Banner>}
    </section>
  )
}

/** Accesses of people outside that the person gave. */
export function OwnOutside() {
  const isAdministrator = useMayCall(partOf(outsideList, 'everyone'))
  return (
    <section aria-labelledby="outside">
      <h2 id="outside" className={style.heading}>
        {t('outside.title')}
      </h2>
      <OutsideGrid isEveryone={false} />
      {isAdministrator && (
        <p className={style.hint}>
          <a href="/administration/outside">{t('outside.whole')}</a>
        </p>
      )}
    </section>
  )
}
