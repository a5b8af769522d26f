import { linkAdd, linkList } from '@hilum/contract/calls/link'
import type { Study } from '@hilum/contract/entities/study'
import { maxShownStudies } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { linksQuery, useLinks } from '../../queries/links.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { mayCall } from '../../session/use-may.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { IconLink } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { CopyAddress } from './copy-address.tsx'
import panel from './exam-panel.module.css'
import { LinkForm } from './link-form.tsx'
import { LinkList } from './link-list.tsx'
import style from './links.module.css'
import { hasNamesBeside } from './names-beside.ts'
import share from './share.module.css'
import { Banner } from '../../ui/banner.tsx'

/** Links to one study for people without a login: making one, and those that there are. */
export function LinkSection({ study }: { study: Study }) {
  const placeFlags = usePlaceFlags()
  const [mayMake, maySee] = [mayCall(linkAdd, placeFlags(study)), mayCall(linkList, placeFlags(study))]
  if (!mayMake && !maySee) return null
  return (
    <section className={style.section} aria-label={t('links.title')}>
      <h3 className={panel.heading}>{t('links.title')}</h3>
      <p className={panel.note}>{t('links.text')}</p>
      {mayMake && <NewLink studies={[study]} maySee={maySee} />}
      {maySee && <Links study={study} mayChange={mayMake} />}
    </section>
  )
}

/** One link to several studies, for who may make links in their place. */
export function LinkToMany({ studies }: { studies: readonly Study[] }) {
  const placeFlags = usePlaceFlags()
  if (hasNamesBeside(studies) || !studies.every((study) => mayCall(linkAdd, placeFlags(study)))) return null
  const isOnePlace = new Set(studies.map((study) => study.phi_namespace)).size === 1
  const isTooMany = studies.length > maxShownStudies
  return (
    <section className={style.section} aria-label={t('links.manyTitle')}>
      <h3 className={panel.heading}>{t('links.manyTitle')}</h3>
      {!isOnePlace && <p className={panel.note}>{t('links.manyPlaces')}</p>}
      {isOnePlace && isTooMany && <p className={panel.note}>{t('links.manyMost', { most: maxShownStudies })}</p>}
      {isOnePlace && !isTooMany && (
        <>
          <p className={panel.note}>{t('links.manyText', { count: studies.length })}</p>
          <NewLink studies={studies} maySee={studies.every((study) => mayCall(linkList, placeFlags(study)))} />
        </>
      )}
    </section>
  )
}

/** The form behind its button, and the address of the link that was made last. */
function NewLink({ studies, maySee }: { studies: readonly Study[]; maySee: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  // the form that had the focus is gone: the button takes it back
  const [hasBeenOpen, setHasBeenOpen] = useState(false)
  const [first = '', ...more] = studies.map(({ uuid }) => uuid)
  const { make } = useLinks(first, more)
  const { data: links } = useQuery({ ...linksQuery(first), enabled: maySee && first !== '' })
  const close = () => setIsOpen(false)
  if (isOpen) return <LinkForm studies={studies} make={make} onDone={close} onCancel={close} />
  const made = make.data
  const isRevoked = links?.some(({ uuid, state }) => uuid === made?.uuid && state === 'ended')
  const email = make.variables?.email
  return (
    <>
      {made && !isRevoked && (
        <Banner tone="completed">
          {email ? t(made.has_smtp === 0 ? 'links.madeUnsent' : 'links.madeMailed', { email }) : t('links.made')}
          {make.variables?.include_priors === 1 && (
            <span className={share.reason}>
              {t('links.madeShows', { count: made.study_count })}
              {made.priors_left_out > 0 && ` ${t('links.madeLeftOut', { count: made.priors_left_out })}`}
            </span>
          )}
          <CopyAddress address={made.url} />
        </Banner>
      )}
      <div className={panel.actions}>
        <Button
          autoFocus={hasBeenOpen}
          variant="default"
          leftSection={<IconLink size={15} />}
          onClick={() => {
            make.reset()
            setIsOpen(true)
            setHasBeenOpen(true)
          }}
        >
          {t('links.create')}
        </Button>
      </div>
    </>
  )
}

function Links({ study, mayChange }: { study: Study; mayChange: boolean }) {
  const { data, isError, isFetching, refetch } = useQuery(linksQuery(study.uuid))
  if (data) return <LinkList study={study} links={data} mayChange={mayChange} />
  if (!isError) return <LoadingState label={t('loading')} />
  return (
    <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
      {t('links.failed')}
    </FailedBanner>
  )
}
