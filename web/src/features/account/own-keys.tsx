import { scopesOfPermissions } from '@hilum/contract/key-scopes'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { formatStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { type KeyOptions, type OwnKey, ownKeysQuery, useAddKey, useEndKey } from '../../queries/own-keys.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import style from './account.module.css'
import { KeyForm } from './key-form.tsx'
import { NewKey } from './new-key.tsx'
import { useProof, wantsProof } from '../../session/use-proof.tsx'

/** The person's keys for programs: made here, shown once, listed, ended. */
export function OwnKeys() {
  const { data: keys, error, refetch, isFetching } = useQuery(ownKeysQuery)
  const add = useAddKey()
  const end = useEndKey()
  const proof = useProof()
  const [isMaking, setIsMaking] = useState(false)
  if (error && !keys) {
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('programKeys.failed')}
      </FailedBanner>
    )
  }
  if (!keys) return <LoadingState label={t('loading')} />
  const handleMade = () => {
    setIsMaking(false)
    end.reset()
  }
  const handleMake = (options: KeyOptions) =>
    add.mutate(options, { onSuccess: handleMade, onError: (failure) => proof.ask(failure, () => handleMake(options)) })
  return (
    <>
      {proof.dialog}
      <p className={style.lead}>{t('programKeys.lead')}</p>
      {add.data && <NewKey name={add.variables.name} value={add.data.key} onDone={add.reset} />}
      {end.error && !end.isPending && (
        <Banner tone={failureCode(end.error) === 'NOT_FOUND' ? 'neutral' : 'failed'}>
          {t(failureCode(end.error) === 'NOT_FOUND' ? 'programKeys.gone' : 'programKeys.endFailed')}
        </Banner>
      )}
      {end.isSuccess && <Banner tone="completed">{t('programKeys.ended')}</Banner>}
      {keys.length === 0 ? (
        <p>{t('programKeys.none')}</p>
      ) : (
        <KeyTable keys={keys} ending={end.isPending ? end.variables : undefined} onEnd={end.mutate} />
      )}
      {isMaking ? (
        <KeyForm
          isBusy={add.isPending}
          failure={add.error && !wantsProof(add.error) ? add.error : undefined}
          onMake={handleMake}
          onCancel={() => {
            add.reset()
            setIsMaking(false)
          }}
        />
      ) : (
        !add.data && (
          <div className={style.asked}>
            <Button onClick={() => setIsMaking(true)}>{t('programKeys.add')}</Button>
          </div>
        )
      )}
    </>
  )
}

interface KeyTableProps {
  keys: readonly OwnKey[]
  ending: string | undefined
  onEnd: (uuid: string) => void
}

function KeyTable({ keys, ending, onEnd }: KeyTableProps) {
  return (
    <table className={table.table} aria-label={t('programKeys.title')}>
      <thead>
        <tr>
          <th scope="col">{t('programKeys.name')}</th>
          <th scope="col">{t('programKeys.place')}</th>
          <th scope="col">{t('programKeys.made')}</th>
          <th scope="col">{t('programKeys.used')}</th>
          <th scope="col">{t('programKeys.ends')}</th>
          <th scope="col" data-acts>
            {t('programKeys.act')}
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.uuid} held={key} isEnding={ending === key.uuid} onEnd={() => onEnd(key.uuid)} />
        ))}
      </tbody>
    </table>
  )
}

function KeyRow({ held, isEnding, onEnd }: { held: OwnKey; isEnding: boolean; onEnd: () => void }) {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const [isAsking, setIsAsking] = useState(false)
  const { name, created, last_used: used, expires } = held
  if (isAsking) {
    return (
      <tr>
        <td colSpan={6}>
          <div className={style.question} role="group" aria-label={t('programKeys.endOne', { name })}>
            <span>{t('programKeys.endAsk', { name })}</span>
            <Button color="red" size="compact-sm" autoFocus loading={isEnding} onClick={onEnd}>
              {t('programKeys.endNow')}
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => setIsAsking(false)}>
              {t('button.cancel')}
            </Button>
          </div>
        </td>
      </tr>
    )
  }
  return (
    <tr>
      <th scope="row">
        {name}
        <span className={table.aside}>{wordsOf(held.permissions)}</span>
      </th>
      <td>{held.namespace_name || t('programKeys.everywhere')}</td>
      <td>
        <DatedText>{formatStamp(created, dateFormat, timeZone)}</DatedText>
      </td>
      <td title={formatStamp(used, dateFormat, timeZone)}>{used ? agoOf(used) : t('programKeys.neverUsed')}</td>
      <td>
        <DatedText>{formatStamp(expires, dateFormat, timeZone)}</DatedText>
      </td>
      <td data-acts>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('programKeys.endOne', { name })}
          onClick={() => setIsAsking(true)}
        >
          {t('programKeys.end')}
        </Button>
      </td>
    </tr>
  )
}

/** Rights of a key in the words of the form; rights that the form does not offer are counted. */
function wordsOf(permissions: readonly string[]): string {
  const { scopes, others } = scopesOfPermissions(permissions)
  const words = scopes.map((scope) => t(`programKeys.scope.${scope}`))
  return [...words, ...(others > 0 ? [t('programKeys.others', { count: others })] : [])].join(', ')
}
