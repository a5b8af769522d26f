import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { ownDevicesQuery, useForgetDevice } from '../../queries/own-sessions.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import table from '../../ui/row-table.module.css'
import style from './account.module.css'
import { clientText } from './describe-client.ts'

/** Browsers that pass without a code of the second factor, and the way to forget them; nothing where there are none. */
export function OwnDevices() {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const { data: devices, error, refetch, isFetching } = useQuery(ownDevicesQuery)
  const { mutate: forget, isError, isSuccess, variables, isPending } = useForgetDevice()
  if (error && !devices) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('devices.failed')}
      </FailedBanner>
    )
  }
  const isNone = !devices || devices.length === 0
  if (isNone && !isSuccess && !isError) return null
  return (
    <section aria-labelledby="own-devices">
      <h3 id="own-devices" className={style.subheading}>
        {t('devices.title')}
      </h3>
      {isSuccess && <Banner tone="completed">{t('devices.forgotten')}</Banner>}
      {isError && <Banner tone="failed">{t('devices.forgetFailed')}</Banner>}
      {!isNone && (
        <>
          <p>{t('devices.lead')}</p>
          <table className={table.table} aria-label={t('devices.title')}>
            <thead>
              <tr>
                <th scope="col">{t('sessions.where')}</th>
                <th scope="col">{t('sessions.address')}</th>
                <th scope="col">{t('sessions.used')}</th>
                <th scope="col">{t('devices.until')}</th>
                <th scope="col" data-acts>
                  {t('sessions.act')}
                </th>
              </tr>
            </thead>
            <tbody>
              {devices.map((one) => {
                const client = clientText(one.user_agent)
                const used = agoOf(one.last_used)
                return (
                  <tr key={one.device_id}>
                    <th scope="row" title={one.user_agent}>
                      {client}
                    </th>
                    <td>{one.client_address || t('sessions.noAddress')}</td>
                    <td title={formatStamp(one.last_used, dateFormat, timeZone)}>{used}</td>
                    <td>
                      <DatedText>{formatStamp(one.expires_at, dateFormat, timeZone)}</DatedText>
                    </td>
                    <td data-acts>
                      <Button
                        variant="default"
                        size="compact-sm"
                        loading={isPending && variables === one.device_id}
                        aria-label={t('devices.forgetOne', { client, when: used })}
                        onClick={() => forget(one.device_id)}
                      >
                        {t('devices.forget')}
                      </Button>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
