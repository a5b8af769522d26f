import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { useSupportAccess } from '../../queries/system.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useIsSupportSession } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { TitledSection } from '../../ui/titled-section.tsx'
import style from './security.module.css'

const hours = [24, 168, 720] as const

/** The organisation's consent that supporters of the installation sign in as its people, for a time. */
export function SupportAccess() {
  const { account } = useEstablished()
  const isOfSupport = useIsSupportSession()
  const { dateFormat, timeZone } = usePreferences()
  const [chosen, setChosen] = useState('24')
  const save = useSupportAccess(account.uuid)
  const until = account.support_until
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(Number(chosen))
  }
  return (
    <TitledSection id="support-access" title={t('support.title')} level={3}>
      <form className={style.form} aria-labelledby="support-access" onSubmit={handleSubmit}>
        {save.isError && <Banner tone="failed">{t('support.failed')}</Banner>}
        <p className={style.lead}>{t('support.lead')}</p>
        <p role="status" className={style.state}>
          {until ? t('support.until', { until: formatStamp(until, dateFormat, timeZone) }) : t('support.off')}
        </p>
        {!isOfSupport && (
          <div className={style.line}>
            <NativeSelect
              label={t('support.hours')}
              value={chosen}
              data={hours.map((one) => ({ value: String(one), label: t(`support.hours.${one}`) }))}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" size="xs" loading={save.isPending && save.variables > 0}>
              {t('support.allow')}
            </Button>
            {until && (
              <Button
                variant="default"
                size="xs"
                loading={save.isPending && save.variables === 0}
                onClick={() => save.mutate(0)}
              >
                {t('support.end')}
              </Button>
            )}
          </div>
        )}
      </form>
    </TitledSection>
  )
}
