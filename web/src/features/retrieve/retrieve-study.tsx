import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { modalities } from '@hilum/contract/modalities'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { todayIn } from '../../format/date-range.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { destinationsQuery, isOpenTo } from '../../queries/destinations.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { type AskedSearch, useAskSearches } from '../../queries/retrieve.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { FoundExams } from './found-exams.tsx'
import { datesOf, dateModes, findSearchFault, type RetrieveFields } from './retrieve-rules.ts'
import style from './retrieve.module.css'

const modalityOptions = modalities.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))

const empty: Omit<RetrieveFields, 'destinations'> = {
  name: '',
  mrn: '',
  accession: '',
  description: '',
  modality: '',
  mode: 'any',
  from: '',
  to: '',
}

/** Searches destinations for exams, and brings the chosen ones into a group (RETRIEVE-01). */
export function RetrieveStudy({ inbox }: { inbox: Inbox }) {
  const { account } = useEstablished()
  const { data, error, refetch, isFetching } = useQuery(destinationsQuery(account.uuid))
  const [typed, setTyped] = useState(empty)
  const [chosen, setChosen] = useState<readonly string[]>()
  const [fault, setFault] = useState<ReturnType<typeof findSearchFault>>()
  const [searches, setSearches] = useState<readonly AskedSearch[]>()
  const ask = useAskSearches(inbox.namespaceId)
  const places = (data ?? []).filter((one) => one.can_search === 1 && isOpenTo(one, inbox.id))
  const [only, ...others] = places
  // a single destination needs no choice
  const destinations = chosen ?? (only && others.length === 0 ? [only.uuid] : [])
  const put = (part: Partial<typeof empty>) => {
    setTyped({ ...typed, ...part })
    setFault(undefined)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const options = { ...typed, destinations }
    const found = findSearchFault(options, todayIn(''))
    setFault(found)
    if (found) return
    const { name, mrn, accession, description, modality } = typed
    const fields = {
      patient_name: name.trim(),
      patientid: mrn.trim(),
      accession_number: accession.trim(),
      study_description: description.trim(),
      modality,
      ...datesOf(typed),
    }
    const asked = places.filter(({ uuid }) => destinations.includes(uuid))
    ask.mutate({ places: asked, fields }, { onSuccess: setSearches })
  }
  const text = (field: 'name' | 'mrn' | 'accession' | 'description') => ({
    label: t(`retrieve.${field}`),
    value: typed[field],
    maxLength: 64,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  const date = (field: 'from' | 'to') => ({
    type: 'date',
    value: typed[field],
    max: todayIn(''),
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('retrieve.listFailed')}
      </FailedBanner>
    )
  }
  if (!data) return <LoadingState label={t('loading')} />
  if (places.length === 0) return <Banner tone="neutral">{t('retrieve.noDestinations')}</Banner>
  return (
    <>
      <p className={style.lead}>{t('retrieve.lead', { group: inbox.name })}</p>
      <form className={style.form} aria-label={t('retrieve.title')} onSubmit={handleSubmit} noValidate>
        <Checkbox.Group label={t('retrieve.destinations')} value={[...destinations]} onChange={setChosen}>
          <div className={style.places}>
            {places.map(({ uuid, name, can_query_retrieve: isOpen }) => (
              <Checkbox
                key={uuid}
                value={uuid}
                label={name}
                description={isOpen === 1 ? undefined : t('retrieve.nothingFrom', { name })}
              />
            ))}
          </div>
        </Checkbox.Group>
        <div className={style.fields}>
          <TextInput {...text('name')} placeholder={t('retrieve.nameHint')} />
          <TextInput {...text('mrn')} />
          <TextInput {...text('accession')} />
          <TextInput {...text('description')} />
          <NativeSelect
            label={t('retrieve.modality')}
            value={typed.modality}
            data={[{ value: '', label: t('retrieve.allModalities') }, ...modalityOptions]}
            onChange={(event) => put({ modality: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('retrieve.dateMode')}
            value={typed.mode}
            data={dateModes.map((mode) => ({ value: mode, label: t(`retrieve.mode.${mode}`) }))}
            onChange={(event) => {
              const mode = dateModes.find((one) => one === event.currentTarget.value)
              if (mode) put({ mode })
            }}
          />
          {typed.mode !== 'any' && (
            <TextInput label={t(typed.mode === 'between' ? 'retrieve.from' : 'retrieve.date')} {...date('from')} />
          )}
          {typed.mode === 'between' && <TextInput label={t('retrieve.to')} {...date('to')} />}
        </div>
        {fault && <Banner tone="failed">{t(fault)}</Banner>}
        {ask.isError && <Banner tone="failed">{t('retrieve.failedPlain')}</Banner>}
        <div>
          <Button type="submit" loading={ask.isPending}>
            {t('retrieve.search')}
          </Button>
        </div>
      </form>
      {searches && <FoundExams key={searches.map(({ uuid }) => uuid).join(' ')} searches={searches} places={places} />}
    </>
  )
}
