import { studyDeidentifyAdd } from '@hilum/contract/calls/study-deidentify'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toCsv } from '@hilum/contract/csv'
import { t } from '../../labels/label.ts'
import { namelessQuery, useKeyOfImages } from '../../queries/nameless.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { studyQuery } from '../../queries/studies.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { saveFile } from '../../ui/save-file.ts'
import panel from './exam-panel.module.css'
import { NamelessForm } from './nameless-form.tsx'
import share from './share.module.css'

/**
 * Gives its children the study that is given away: the study itself, or, with names left behind, a copy that was made.
 * Until there is one, there is nothing to give, also where the person's rights end meanwhile.
 */
export function NamelessChoice({ study, children }: { study: Study; children: (given: Study) => ReactNode }) {
  const placeFlags = usePlaceFlags()
  const [isNameless, setIsNameless] = useState(false)
  const [chosen, setChosen] = useState('')
  const isOffered = mayCall(studyDeidentifyAdd, placeFlags(study)) && study.image_count > 0
  return (
    <>
      {(isOffered || isNameless) && (
        <Checkbox
          size="xs"
          label={t('nameless.switch')}
          checked={isNameless}
          onChange={(event) => {
            setIsNameless(event.currentTarget.checked)
            setChosen('')
          }}
        />
      )}
      {isNameless ? (
        <Copies study={study} chosen={chosen} onChoose={setChosen}>
          {children}
        </Copies>
      ) : (
        children(study)
      )}
    </>
  )
}

interface CopiesProps {
  study: Study
  /** The record of the copy that is given away. */
  chosen: string
  onChoose: (uuid: string) => void
  children: (given: Study) => ReactNode
}

function Copies({ study, chosen, onChoose, children }: CopiesProps) {
  const { data: copies = [] } = useQuery(namelessQuery(study.uuid))
  const images = useKeyOfImages(study.uuid)
  const given = copies.find(({ study_id }) => study_id !== '' && study_id === chosen)
  const { data: copy } = useQuery({ ...studyQuery(chosen), enabled: given !== undefined })
  if (given) {
    return (
      <>
        <Banner
          tone="info"
          action={
            <Button variant="default" size="compact-xs" onClick={() => onChoose('')}>
              {t('links.cancel')}
            </Button>
          }
        >
          {t('nameless.given', given)}
        </Banner>
        {copy ? children(copy) : <LoadingState label={t('loading')} />}
      </>
    )
  }
  const key = () =>
    saveFile(
      'key.csv',
      toCsv([
        ['recipient', 'pseudonym', 'patient_name', 'patientid', 'study_uid', 'copy_study_uid', 'days', 'created'],
        ...copies.map((one) => [
          one.recipient,
          one.pseudonym,
          study.patient_name,
          study.patientid,
          one.study_uid,
          one.copy_study_uid,
          String(one.days),
          one.created,
        ]),
      ]),
    )
  const keyOfImages = ({ recipient, study_uid, copy_study_uid }: (typeof copies)[number]) =>
    images.mutate(recipient, {
      onSuccess: (rows) =>
        saveFile(
          'key-of-images.csv',
          toCsv([
            ['study_uid', 'series_uid', 'image_uid', 'copy_study_uid', 'copy_series_uid', 'copy_image_uid'],
            ...rows.map((one) => [
              study_uid,
              one.series_uid,
              one.image_uid,
              copy_study_uid,
              one.copy_series_uid,
              one.copy_image_uid,
            ]),
          ]),
        ),
    })
  return (
    <>
      <p className={panel.note}>{t('nameless.text')}</p>
      <p className={panel.note}>{t('nameless.uids', { button: t('nameless.keyOfImages') })}</p>
      {copies.length > 0 && (
        <section className={share.side} aria-label={t('nameless.copies')}>
          <h4 className={share.heading}>{t('nameless.copies')}</h4>
          <ul className={share.lines}>
            {copies.map((one) => (
              <li key={one.uuid}>
                {one.state === 'made'
                  ? t('nameless.copy', { pseudonym: one.pseudonym, recipient: one.recipient, count: one.images })
                  : one.state === 'making'
                    ? t('nameless.making', { recipient: one.recipient, count: one.images })
                    : t('nameless.failed', { recipient: one.recipient, message: one.message })}{' '}
                {one.study_id !== '' ? (
                  <Button variant="default" size="compact-xs" onClick={() => onChoose(one.study_id)}>
                    {t('nameless.use')}
                  </Button>
                ) : (
                  one.state === 'made' && t('nameless.gone')
                )}{' '}
                {one.state === 'made' && (
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    aria-label={t('nameless.keyOfImagesFor', one)}
                    loading={images.isPending && images.variables === one.recipient}
                    onClick={() => keyOfImages(one)}
                  >
                    {t('nameless.keyOfImages')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {images.isError && <Banner tone="failed">{t('nameless.keyFailed')}</Banner>}
          <section className={share.keys} aria-label={t('nameless.keysTitle')}>
            <h4 className={share.heading}>{t('nameless.keysTitle')}</h4>
            <p className={panel.note}>{t('nameless.keys')}</p>
            <dl>
              <dt>{t('nameless.keyOfImages')}</dt>
              <dd>{t('nameless.keyOfImagesHolds')}</dd>
              <dt>
                <Button variant="default" size="xs" onClick={key}>
                  {t('nameless.key')}
                </Button>
              </dt>
              <dd>{t('nameless.keyHolds')}</dd>
            </dl>
          </section>
        </section>
      )}
      <NamelessForm study={study} />
    </>
  )
}
