import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import type { OpenedSession } from '../../queries/opened-link.ts'
import { openShareCodePage, shareCodeQuery } from '../../queries/share-code.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './link.module.css'
import { SignInWay } from './sign-in-way.tsx'

interface ShareCodeDoorProps {
  code: string
  onOpened: (opened: OpenedSession) => void
}

/** Entry page of a share code: whom it reaches, and the button by which anybody uploads there, where that is open. */
export function ShareCodeDoor({ code, onOpened }: ShareCodeDoorProps) {
  const { data, error, isFetching, refetch } = useQuery(shareCodeQuery(code))
  const opening = useMutation({ mutationFn: () => openShareCodePage(code), onSuccess: onOpened })
  if (error && !data) {
    return (
      <div className={style.form}>
        <Banner tone="failed">{faultText(failureCode(error))}</Banner>
        <div className={style.row}>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            {t('link.again')}
          </Button>
        </div>
      </div>
    )
  }
  if (!data) return <LoadingState label={t('shareCode.looking')} />
  return (
    <div className={style.form}>
      <p className={style.lead}>
        <b>{t('shareCode.to', { place: data.share_name, account: data.account_name })}</b>
        {data.share_description && <span className={style.more}>{data.share_description}</span>}
      </p>
      {opening.isError && <Banner tone="failed">{faultText(failureCode(opening.error))}</Banner>}
      {data.takes_uploads === 1 ? (
        <>
          <p className={style.note}>{t('shareCode.open')}</p>
          <div className={style.row}>
            <Button loading={opening.isPending} onClick={() => opening.mutate()}>
              {t('shareCode.begin')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className={style.note}>{t('shareCode.closed')}</p>
          <SignInWay />
        </>
      )}
    </div>
  )
}

function faultText(code: string): string {
  if (code === 'ERR_NETWORK') return t('link.network')
  if (code === 'LOCKOUT') return t('shareCode.tooMany')
  return t(code === 'NOT_FOUND' ? 'shareCode.unknown' : 'link.failed')
}
